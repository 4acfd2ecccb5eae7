import type { MessageContent } from '../compose/compose-message.ts'
import type { Product } from '../compose/expiry.ts'

export interface MessageRow {
  id: string
  accepted_at: Date
  expires_at: Date
  cancelled_at: Date | null
  paused_at: Date | null
  finished_at: Date | null
  recipients: number
  product: Product
  audience: 'users' | 'public' | 'query'
  channel: string
  track_id: string | null
  client_id: string | null
  body: MessageContent
  target: { target?: unknown; segment?: unknown; segmentId?: string } | null
  user_id: string | null
  user_count: number
}

/** A stored message as callers see it. */
export interface MessageAnswer extends MessageContent {
  id: string
  product: Product
  audience: MessageRow['audience']
  createdAt: number
  expireAt: number
  cancelledAt?: number
  count: number
  user?: string
  userCount?: number
  channel: string
  trackId?: string
  clientId?: string
  target?: unknown
  segment?: unknown
  segmentId?: string
}

export function messageAnswer(row: MessageRow): MessageAnswer {
  return {
    id: row.id,
    product: row.product,
    audience: row.audience,
    createdAt: row.accepted_at.getTime(),
    expireAt: row.expires_at.getTime(),
    ...(row.cancelled_at && { cancelledAt: row.cancelled_at.getTime() }),
    count: row.recipients,
    ...receiversOf(row),
    channel: row.channel,
    ...(row.track_id !== null && { trackId: row.track_id }),
    ...(row.client_id !== null && { clientId: row.client_id }),
    ...row.target,
    ...row.body,
  }
}

function receiversOf({ audience, user_id, user_count }: MessageRow): Pick<MessageAnswer, 'user' | 'userCount'> {
  if (audience === 'public') return { user: '*' }
  if (audience === 'query') return {}
  return user_count === 1 && user_id !== null ? { user: user_id } : { userCount: user_count }
}
