import type { Message } from '@peyk/contract'
import { composeMessage, type MessageContent } from '../compose/compose-message.ts'
import { expiryOf, lifeSeconds } from '../compose/expiry.ts'
import { readMessageChannel } from '../compose/message-channel.ts'
import { lastMoment } from '../local-time/local-time.ts'
import { receiversOf } from '../stored/message-answer.ts'
import type { ScheduledMessage } from './scheduled-message.ts'

/** A message that has not started as callers see it. */
export function scheduledAnswer(message: ScheduledMessage): Message & MessageContent {
  const { id, product, sent, userIds, target, count, createdAt, dueAt, localTime, cancelledAt, occurrence } = message
  const audience = target ? 'query' : userIds ? 'users' : 'public'
  return {
    id,
    product,
    audience,
    createdAt: createdAt.getTime(),
    sendAt: dueAt.getTime(),
    ...(localTime && { localTime: { ...localTime, ttl: lifeSeconds(sent.ttl, product) } }),
    ...(occurrence && { seriesId: occurrence.seriesId }),
    expireAt: expiryOf(sent.ttl, product, localTime ? lastMoment(localTime, dueAt) : dueAt).getTime(),
    ...(cancelledAt && { cancelledAt: cancelledAt.getTime() }),
    count,
    ...receiversOf({ audience, user_id: userIds?.[0] ?? null, user_count: userIds?.length ?? 0 }),
    channel: readMessageChannel(product === 'message' ? (sent.channel ?? '') : '').name,
    ...(sent.trackId && { trackId: sent.trackId }),
    ...(sent.clientId && { clientId: sent.clientId }),
    ...(target as Pick<Message, 'segment' | 'segmentId' | 'target'> | undefined),
    ...composeMessage(sent),
  }
}
