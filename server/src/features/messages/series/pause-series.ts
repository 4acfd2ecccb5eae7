import type { AnswerOf, pauseSeries as contract } from '@peyk/contract'
import { type Context, inTransaction } from '#base/context.ts'
import { lockGoingSeries } from './lock-going-series.ts'
import { holdOccurrences } from './occurrences-store.ts'
import { describeSeries } from './series-answer.ts'
import { updateSeries } from './series-store.ts'

/** Holds back what has not started, until it is resumed. */
export async function pauseSeries(ctx: Context, { id }: { id: string }): Promise<AnswerOf<typeof contract>> {
  return inTransaction(ctx, async (tx) => {
    const inner = { ...ctx, tx }
    const series = await lockGoingSeries(ctx, tx, id)
    if (series.state === 'paused') return describeSeries(inner, series)
    const paused = { ...series, state: 'paused', changedAt: ctx.now() } as const
    await holdOccurrences(tx, paused)
    await updateSeries(tx, paused)
    return describeSeries(inner, paused)
  })
}
