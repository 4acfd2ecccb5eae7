import type { Message } from '@peyk/contract'
import type { MessageContent } from '../compose/compose-message.ts'
import type { Product } from '../compose/expiry.ts'

export interface MessageRow {
  id: string
  accepted_at: Date
  expires_at: Date
  cancelled_at: Date | null
  paused_at: Date | null
  /** Since when all sending of the app is stopped. */
  stopped_at: Date | null
  finished_at: Date | null
  recalled_at: Date | null
  recipients: number
  product: Product
  audience: 'users' | 'public' | 'query'
  channel: string
  track_id: string | null
  client_id: string | null
  body: MessageContent
  target: { target?: unknown; segment?: NonNullable<Message['segment']>; segmentId?: string } | null
  user_id: string | null
  user_count: number
}

/** A stored message as callers see it. */
export function messageAnswer(row: MessageRow): Message & MessageContent {
  return {
    id: row.id,
    product: row.product,
    audience: row.audience,
    createdAt: row.accepted_at.getTime(),
    expireAt: row.expires_at.getTime(),
    ...(row.cancelled_at && { cancelledAt: row.cancelled_at.getTime() }),
    ...(row.recalled_at && { recalledAt: row.recalled_at.getTime() }),
    count: row.recipients,
    ...receiversOf(row),
    channel: row.channel,
    ...(row.track_id !== null && { trackId: row.track_id }),
    ...(row.client_id !== null && { clientId: row.client_id }),
    ...row.target,
    ...row.body,
  }
}

export function receiversOf({
  audience,
  user_id,
  user_count,
}: Pick<MessageRow, 'audience' | 'user_id' | 'user_count'>): Pick<Message, 'user' | 'userCount'> {
  if (audience === 'public') return { user: '*' }
  if (audience === 'query') return {}
  return user_count === 1 && user_id !== null ? { user: user_id } : { userCount: user_count }
}
