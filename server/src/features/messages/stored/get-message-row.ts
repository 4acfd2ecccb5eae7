import { type Context, db } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { isUuid } from '#base/ids.ts'
import { findScheduled } from '../schedule/schedule-store.ts'
import type { MessageRow } from './message-answer.ts'
import { findMessageRow } from './message-store.ts'

/** A message that has started. */
export async function getMessageRow(ctx: Context, id: string): Promise<MessageRow> {
  if (!isUuid(id)) throw unknownMessage(id)
  const row = await findMessageRow(ctx, id)
  if (row) return row
  const scheduled = await findScheduled(db(ctx), { appId: ctx.app.id, id })
  if (!scheduled) throw unknownMessage(id)
  const { cancelledAt, dueAt } = scheduled
  const message = cancelledAt
    ? 'The message was cancelled before it went.'
    : `The message goes at ${dueAt.toISOString()}.`
  throw new RequestError('not-started', message, { details: { sendAt: dueAt.getTime() } })
}

export function unknownMessage(id: string): RequestError {
  return new RequestError('not-found', `No message has the id "${id.slice(0, 64)}".`)
}
