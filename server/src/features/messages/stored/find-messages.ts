import type { AnswerOf, messages, QueryOf } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { readIdCursor } from '#base/page-cursor.ts'
import { messageAnswer } from './message-answer.ts'
import { listMessageRows } from './message-store.ts'

const defaultLimit = 25

/** [sending.md#campaign-keys-and-client-ids] */
export async function findMessages(ctx: Context, input: QueryOf<typeof messages>): Promise<AnswerOf<typeof messages>> {
  const { trackId, clientId, user, cursor, limit = defaultLimit } = input
  const rows = await listMessageRows(ctx, { trackId, clientId, user, before: readIdCursor(cursor), limit: limit + 1 })
  const data = rows.slice(0, limit).map(messageAnswer)
  const last = data.at(-1)
  return { data, ...(rows.length > limit && last && { cursor: last.id }) }
}
