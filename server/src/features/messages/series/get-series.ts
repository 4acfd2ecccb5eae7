import type { AnswerOf, getSeries as contract } from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { isUuid } from '#base/ids.ts'
import { unknownSeries } from './lock-going-series.ts'
import { describeSeries } from './series-answer.ts'
import { findSeries } from './series-store.ts'

export async function getSeries(ctx: Context, { id }: { id: string }): Promise<AnswerOf<typeof contract>> {
  const series = isUuid(id) ? await findSeries(db(ctx), { appId: ctx.app.id, id }) : undefined
  if (!series) throw unknownSeries(id)
  return describeSeries(ctx, series)
}
