import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import type { MessageRow } from '../messages/stored/message-answer.ts'

export interface FallbackTimeline {
  state: string
  text: string
  /** What the gateway said. */
  detail?: string
  dueAt?: number
  updatedAt?: number
  /** The last four digits. */
  phone?: string
}

interface Row {
  state: string
  due_at: Date
  updated_at: Date
  phone: string | null
  detail: string | null
}

const texts: Record<string, string> = {
  waiting: 'An SMS goes to the user when it is due, unless the message arrives before.',
  cancelled: 'No SMS: the message arrived before it was due.',
  sending: 'The SMS was handed to the gateway, whose answer is awaited. It is not sent again.',
  sent: 'The gateway accepted the SMS.',
  refused: 'The gateway refused the SMS.',
  unknown: 'It is not known whether the SMS was sent: the gateway gave no clear answer. It is not sent again.',
  'no-phone': 'No SMS: the user has no phone number.',
  'no-provider': 'No SMS: the app has no SMS gateway.',
  expired: 'No SMS: the message expired before.',
  'over-limit': 'No SMS: the app’s limit for the day was reached.',
}

/** [sending.md#sms-fallback] What became of the SMS; undefined for a message without one. */
export async function explainFallback(
  ctx: Context,
  row: MessageRow,
  userId: string,
): Promise<FallbackTimeline | undefined> {
  const [found] = await db(ctx).query<Row>(sql`
    select state, due_at, updated_at, phone, detail from sms_fallbacks
    where app_id = ${ctx.app.id} and message_id = ${row.id} and user_id = ${userId}`)
  if (!found) return undefined
  const { state, due_at, updated_at, phone, detail } = found
  return {
    state,
    ...(detail && { detail }),
    text: `${texts[state] ?? state}${detail ? ` (${detail})` : ''}`,
    dueAt: due_at.getTime(),
    ...(state !== 'waiting' && { updatedAt: updated_at.getTime() }),
    ...(phone !== null && { phone: phone.slice(-4) }),
  }
}
