import type { AnswerOf, listSeries as contract, QueryOf } from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { readIdCursor } from '#base/page-cursor.ts'
import { describeAll } from './series-answer.ts'
import { listSeriesRows } from './series-store.ts'

const defaultLimit = 25

export async function listSeries(
  ctx: Context,
  { state, cursor, limit = defaultLimit }: QueryOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const before = readIdCursor(cursor)
  const found = await listSeriesRows(db(ctx), { appId: ctx.app.id, state, before, limit: limit + 1 })
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : undefined
  return { data: await describeAll(ctx, page), ...(last && { cursor: last.id }) }
}
