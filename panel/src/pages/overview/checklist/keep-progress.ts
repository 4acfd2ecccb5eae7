/** What this browser remembers of the list of an app: that it was there, and that the snippet was copied. */
export type Progress = 'seen' | 'copied'

const keyOf = (appId: string) => `peyk-checklist-${appId}`

export function readProgress(appId: string): Progress | undefined {
  const kept = localStorage.getItem(keyOf(appId))
  return kept === 'seen' || kept === 'copied' ? kept : undefined
}

/** A full or blocked storage costs a tick that comes with the first installation anyway. */
export function keepProgress(appId: string, progress: Progress | undefined): void {
  try {
    if (progress === undefined) localStorage.removeItem(keyOf(appId))
    else localStorage.setItem(keyOf(appId), progress)
  } catch {
    // Nothing to do about it.
  }
}
