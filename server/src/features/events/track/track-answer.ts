import type * as contract from '@peyk/contract'
import type { StoredEvent } from '../event.ts'

export type TrackAnswer = contract.AnswerOf<typeof contract.track>

/** [requests.md#responses] */
export function trackAnswer([stored]: readonly StoredEvent[]): TrackAnswer {
  const { id, warnings } = stored as StoredEvent
  return warnings ? { queued: true, n: 1, id, warnings } : { queued: true, n: 1, id }
}
