import type { Context } from '../../../base/context.ts'
import { RequestError } from '../../../base/errors.ts'
import { isUuid } from '../../../base/ids.ts'
import type { MessageRow } from './message-answer.ts'
import { findMessageRow } from './message-store.ts'

export async function getMessageRow(ctx: Context, id: string): Promise<MessageRow> {
  const row = isUuid(id) ? await findMessageRow(ctx, id) : undefined
  if (!row) throw new RequestError('not-found', `No message has the id "${id.slice(0, 64)}".`)
  return row
}
