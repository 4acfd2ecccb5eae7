import type { AnswerOf, messages, QueryOf } from '@peyk/contract'
import type { Context } from '../../../base/context.ts'
import { RequestError } from '../../../base/errors.ts'
import { isUuid } from '../../../base/ids.ts'
import { messageAnswer } from './message-answer.ts'
import { listMessageRows } from './message-store.ts'

const defaultLimit = 25

/** [choice 30] */
export async function findMessages(ctx: Context, input: QueryOf<typeof messages>): Promise<AnswerOf<typeof messages>> {
  const { trackId, clientId, user, cursor, limit = defaultLimit } = input
  if (cursor !== undefined && !isUuid(cursor)) {
    throw new RequestError('invalid-request', '"cursor": expected the cursor of the page before.', {
      details: { field: 'cursor' },
    })
  }
  const rows = await listMessageRows(ctx, { trackId, clientId, user, before: cursor, limit: limit + 1 })
  const data = rows.slice(0, limit).map(messageAnswer)
  const last = data.at(-1)
  return { data, ...(rows.length > limit && last && { cursor: last.id }) }
}
