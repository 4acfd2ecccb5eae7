import { type Draft, emptyDraft } from './draft.ts'

const keyOf = (appId: string) => `peyk-send-${appId}`

/** What was being composed for this app in this browser, also before a reload. */
export function readKeptDraft(appId: string): Draft | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(appId)) ?? 'null') as Partial<Draft> | null
    if (kept === null || typeof kept !== 'object') return undefined
    return completeDraft(kept)
  } catch {
    return undefined
  }
}

/** A full or blocked storage costs the draft its second home, nothing else. */
export function keepDraft(appId: string, draft: Draft | undefined): void {
  try {
    if (draft === undefined || isEmptyDraft(draft)) localStorage.removeItem(keyOf(appId))
    else localStorage.setItem(keyOf(appId), JSON.stringify(draft))
  } catch {
    // Nothing to do about it.
  }
}

export function isEmptyDraft(draft: Draft): boolean {
  return JSON.stringify(draft) === JSON.stringify(emptyDraft)
}

/** A draft of an earlier version of the panel may lack fields. */
function completeDraft(kept: Partial<Draft>): Draft {
  return {
    ...emptyDraft,
    ...kept,
    who: { ...emptyDraft.who, ...kept.who },
    flags: { ...emptyDraft.flags, ...kept.flags },
    notification: { ...emptyDraft.notification, ...kept.notification },
    fallback: { ...emptyDraft.fallback, ...kept.fallback },
  }
}
