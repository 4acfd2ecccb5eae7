import type { AnswerOf, resumeSeries as contract, StoryLine } from '@peyk/contract'
import { type Context, inTransaction } from '#base/context.ts'
import { extendSeries } from './extend-series.ts'
import { lockGoingSeries } from './lock-going-series.ts'
import { releaseOccurrences } from './occurrences-store.ts'
import { withStory } from './series.ts'
import { describeSeries } from './series-answer.ts'

/** Goes on with the first occurrence from now on. Those whose time came during the pause were skipped. */
export async function resumeSeries(ctx: Context, { id }: { id: string }): Promise<AnswerOf<typeof contract>> {
  return inTransaction(ctx, async (tx) => {
    const inner = { ...ctx, tx }
    const series = await lockGoingSeries(ctx, tx, id)
    if (series.state === 'active') return describeSeries(inner, series)
    const now = ctx.now()
    const passed = await releaseOccurrences(tx, series, now)
    const lines = passed.map(
      (each): StoryLine => ({ at: each.at.getTime(), what: 'skipped', messageId: each.id, notedAt: now.getTime() }),
    )
    const resumed = withStory({ ...series, state: 'active', changedAt: now }, lines)
    return describeSeries(inner, await extendSeries(tx, resumed, { store: ctx.store, now, passed: 'skipped' }))
  })
}
