import type { StoredEvent } from '../event.ts'

export interface TrackAnswer {
  queued: true
  n: 1
  id: string
  warnings?: string[]
}

/** [choice 13] */
export function trackAnswer([stored]: readonly StoredEvent[]): TrackAnswer {
  const { id, warnings } = stored as StoredEvent
  return warnings ? { queued: true, n: 1, id, warnings } : { queued: true, n: 1, id }
}
