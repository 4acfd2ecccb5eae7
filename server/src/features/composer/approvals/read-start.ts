import type { AnyNotification } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { lastMoment } from '../../messages/local-time/local-time.ts'
import { readWhen } from '../../messages/schedule/read-when.ts'
import { listMoments } from '../../messages/series/course/list-moments.ts'

/**
 * The moment by which a send has to be approved because it was to go then: with a local time, the last users' own; of a
 * series, its first. Undefined for what goes when it is approved.
 */
export async function readStart(ctx: Context, sent: AnyNotification): Promise<Date | undefined> {
  const { repeat, sendAt } = sent
  if (repeat != null) {
    const { next } = await listMoments(ctx, { repeat, sendAt: sendAt ?? undefined })
    return sendAt == null || next[0] === undefined ? undefined : new Date(next[0])
  }
  const when = readWhen(sent, ctx.now())
  return when?.localTime ? lastMoment(when.localTime, when.dueAt) : when?.dueAt
}
