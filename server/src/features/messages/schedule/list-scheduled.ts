import type { AnswerOf, QueryOf, scheduledMessages } from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { readTimeAndIdCursor, writeTimeCursor } from '#base/page-cursor.ts'
import { listScheduledRows } from './schedule-store.ts'
import { scheduledAnswer } from './scheduled-answer.ts'

const defaultLimit = 25

export async function listScheduled(
  ctx: Context,
  { cursor, limit = defaultLimit }: QueryOf<typeof scheduledMessages>,
): Promise<AnswerOf<typeof scheduledMessages>> {
  const place = readTimeAndIdCursor(cursor)
  const after = place && { dueAt: new Date(place.time), id: place.name }
  const rows = await listScheduledRows(db(ctx), { appId: ctx.app.id, after, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    data: page.map(scheduledAnswer),
    ...(last && { cursor: writeTimeCursor({ time: last.dueAt.getTime(), name: last.id }) }),
  }
}
