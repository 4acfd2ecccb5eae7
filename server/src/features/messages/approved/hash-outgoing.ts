import { createHash } from 'node:crypto'
import type { When } from '../schedule/read-when.ts'
import type { ScheduledMessage } from '../schedule/scheduled-message.ts'
import type { Series } from '../series/series.ts'

/** A send as it would leave: the texts of its template filled in, its audience as rules. */
export interface OutgoingSend extends Pick<ScheduledMessage, 'product' | 'sent' | 'userIds' | 'target'> {
  /** The moment, the local time, or the rule of a series; `now` for a send that starts when it is approved. */
  when: object | 'now'
}

/**
 * Changes with everything that an approval covers. Not with the number of devices: that moves all the time, and the
 * approving member confirms it apart.
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

/** The local time alone when there is one: the first moment depends on when it was read. */
export function whenOf({ dueAt, localTime }: When): object {
  return localTime ? { localTime } : { at: dueAt.getTime() }
}

/** The same for the same value, in whatever order PostgreSQL returns the keys of its JSON. */
export function hashOf(value: object): string {
  const plain = JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
  return createHash('sha256').update(plain).digest('base64url')
}
