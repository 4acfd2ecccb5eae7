import { createHash } from 'node:crypto'
import type { When } from '../schedule/read-when.ts'
import type { ScheduledMessage } from '../schedule/scheduled-message.ts'
import type { Series } from '../series/series.ts'

/** A send as it would leave: with its template's texts filled in and its audience as rules. */
export interface OutgoingSend extends Pick<ScheduledMessage, 'product' | 'sent' | 'userIds' | 'target'> {
  /** The moment, the local time, or the rule of a series; `now` for a send that starts when it is approved. */
  when: object | 'now'
}

/**
 * Changes with everything that an approval covers. The number of devices is not included: it changes all the time, and
 * the approving member confirms it separately.
 */
export function hashOutgoing({ product, sent, userIds, target, when }: OutgoingSend): string {
  return hashOf({ product, sent, userIds: userIds ?? null, target: target ?? null, when })
}

export function hashScheduled(message: ScheduledMessage): string {
  return hashOutgoing({ ...message, when: whenOf(message) })
}

export function hashSeries(series: Series): string {
  return hashOutgoing({ ...series, when: series.course })
}

/** Uses only the local time if there is one, because the first moment depends on when it was read. */
export function whenOf({ dueAt, localTime }: When): object {
  return localTime ? { localTime } : { at: dueAt.getTime() }
}

/** Independent of the order in which PostgreSQL returns the keys of its JSON. */
export function hashOf(value: object): string {
  const plain = JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
  return createHash('sha256').update(plain).digest('base64url')
}
