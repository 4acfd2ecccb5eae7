import type { AnswerOf, endSeries as contract } from '@peyk/contract'
import { type Context, inTransaction } from '#base/context.ts'
import { lockGoingSeries } from './lock-going-series.ts'
import { cancelOccurrences } from './occurrences-store.ts'
import { describeSeries } from './series-answer.ts'
import { updateSeries } from './series-store.ts'

/** For good: what has not started is cancelled. */
export async function endSeries(ctx: Context, { id }: { id: string }): Promise<AnswerOf<typeof contract>> {
  return inTransaction(ctx, async (tx) => {
    const series = await lockGoingSeries(ctx, tx, id)
    const now = ctx.now()
    await cancelOccurrences(tx, series, { at: now })
    const ended = { ...series, state: 'ended', nextAt: undefined, endedAt: now, changedAt: now } as const
    await updateSeries(tx, ended)
    return describeSeries({ ...ctx, tx }, ended)
  })
}
