import { type Draft, emptyDraft } from './draft.ts'

const prefix = 'peyk-send-'

/** Whose draft it is: another member at this browser does not find it. */
export interface Desk {
  appId: string
  email: string
}

const keyOf = ({ appId, email }: Desk) => `${prefix}${appId} ${email}`

/** What was being composed for this app in this browser, also before a reload. */
export function readKeptDraft(desk: Desk): Draft | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(desk)) ?? 'null') as Partial<Draft> | null
    if (kept === null || typeof kept !== 'object') return undefined
    return completeDraft(kept)
  } catch {
    return undefined
  }
}

/** A full or blocked storage costs the draft its second home, nothing else. */
export function keepDraft(desk: Desk, draft: Draft | undefined): void {
  try {
    if (draft === undefined || isEmptyDraft(draft)) localStorage.removeItem(keyOf(desk))
    else localStorage.setItem(keyOf(desk), JSON.stringify(draft))
  } catch {
    // Nothing to do about it.
  }
}

/** Nothing that was composed stays in this browser. */
export function forgetDrafts(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
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
