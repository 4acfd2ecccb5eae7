import { type Draft, emptyDraft } from './draft.ts'
import { completeDraft, fillDraft, isEmptyDraft, type OpenDraft } from './open-draft.ts'

const prefix = 'peyk-send-'

/** Whose draft it is: another member at this browser does not find it. */
export interface Desk {
  appId: string
  email: string
}

const keyOf = ({ appId, email }: Desk) => `${prefix}${appId} ${email}`
const placeKeyOf = (desk: Desk) => `${keyOf(desk)} place`

/** What was being composed for this app in this browser, also before a reload. */
export function readKeptDraft(desk: Desk): OpenDraft | undefined {
  const draft = read<Partial<Draft>>(keyOf(desk))
  if (draft === undefined) return undefined
  const place = read<Partial<Omit<OpenDraft, 'draft'>>>(placeKeyOf(desk))
  return { ...fillDraft(emptyDraft), ...place, draft: completeDraft(draft) }
}

function read<T extends object>(key: string): T | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? 'null') as T | null
    return kept === null || typeof kept !== 'object' ? undefined : kept
  } catch {
    return undefined
  }
}

/** Until this page is left: a save that is answered while somebody signs out would bring the draft back. */
let isForgotten = false

/** A full or blocked storage costs the draft its second home, nothing else. */
export function keepDraft(desk: Desk, open: OpenDraft | undefined): void {
  if (isForgotten) return
  try {
    if (open === undefined || isEmptyDraft(open.draft)) {
      localStorage.removeItem(keyOf(desk))
      localStorage.removeItem(placeKeyOf(desk))
      return
    }
    const { draft, ...place } = open
    localStorage.setItem(keyOf(desk), JSON.stringify(draft))
    localStorage.setItem(placeKeyOf(desk), JSON.stringify(place))
  } catch {
    // Nothing to do about it.
  }
}

/** Nothing that was composed stays in this browser. */
export function forgetDrafts(): void {
  isForgotten = true
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
}
