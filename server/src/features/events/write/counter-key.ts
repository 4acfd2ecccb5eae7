import type { EventDraft } from '../event.ts'

/** [segments.md#rules] `purchase` is for revenue events only: another event of that name counts under no key. */
export function counterKey({ key, revenue }: EventDraft): string {
  return key === 'purchase' && revenue === null ? '' : key
}
