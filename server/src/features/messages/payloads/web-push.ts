import { clientNotification, webExtras } from './client-notification.ts'
import type { AppLook, PushMessage } from './compiled-push.ts'
import type { Payload } from './payload.ts'

type WebPushPayload = Omit<Extract<Payload, { provider: 'webpush' }>, 'body'> & { body: object }

/**
 * What the service worker is given. [client-protocol.md#web-push-payload] groupId goes in data: grouping never
 * replaces.
 */
export function webPushPayload(message: PushMessage, look: AppLook): WebPushPayload {
  const { data, ...drawn } = clientNotification(message, look)
  const { notification, silent } = message.content
  const icon = notification?.icon ?? notification?.largeIcon
  const groupId = silent ? undefined : notification?.groupId
  const ownData = groupId === undefined ? data : { groupId, ...data }
  return {
    provider: 'webpush',
    body: {
      ...drawn,
      ...(!silent && icon !== undefined && { icon }),
      ...(!silent && notification && webExtras(notification)),
      ...(ownData && { data: ownData }),
    },
    urgency: silent ? 'normal' : 'high',
    topic: topicOf(message.id),
  }
}

/** A resend replaces the push that still waits: the 32 digits of the id are what a Topic may hold. */
export function topicOf(messageId: string): string {
  return messageId.replaceAll('-', '')
}
