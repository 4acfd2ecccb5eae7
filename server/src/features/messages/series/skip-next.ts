import type { AnswerOf, skipNext as contract } from '@peyk/contract'
import { type Context, inTransaction } from '#base/context.ts'
import { lockGoingSeries } from './lock-going-series.ts'
import { lockFirstOccurrence } from './occurrences-store.ts'
import { describeSeries } from './series-answer.ts'
import { skipOccurrence } from './skip-occurrence.ts'

/** The next one by the rule does not go, and counts as one that happened. */
export async function skipNext(ctx: Context, { id }: { id: string }): Promise<AnswerOf<typeof contract>> {
  return inTransaction(ctx, async (tx) => {
    const series = await lockGoingSeries(ctx, tx, id)
    const occurrence = await lockFirstOccurrence(tx, series)
    const skipped = occurrence
      ? await skipOccurrence(tx, series, { occurrence, store: ctx.store, now: ctx.now() })
      : series
    return describeSeries({ ...ctx, tx }, skipped)
  })
}
