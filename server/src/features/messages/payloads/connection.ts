import type { NotificationContent } from '../compose/compose-message.ts'
import type { AppLook, PushMessage } from './compiled-push.ts'
import { notificationText } from './notification-text.ts'

/** What goes over the own connection [client-protocol.md#receiving-messages]. Times are epoch milliseconds. */
export interface ConnectionMessage {
  id: string
  content?: string
  data: Record<string, unknown>
  createdAt: number
  trackId?: string
  clientId?: string
  publishId: string
  silent: boolean
  inApp?: true
  expireAt: number
  /** What the client library draws; without it there is nothing to draw. */
  notification?: NotificationContent
}

export function connectionMessage(message: PushMessage, look: AppLook): ConnectionMessage {
  const { content, data, silent, inApp } = message.content
  const notification = drawn(message, look)
  return {
    id: message.id,
    ...(content !== undefined && { content }),
    data: data ?? {},
    createdAt: message.acceptedAt.getTime(),
    ...(message.trackId !== undefined && { trackId: message.trackId }),
    ...(message.clientId !== undefined && { clientId: message.clientId }),
    publishId: message.id,
    silent: silent ?? false,
    ...(inApp && { inApp }),
    expireAt: message.expiresAt.getTime(),
    ...(notification && { notification }),
  }
}

/**
 * [sending.md#delivery-channels] Silent and in-app messages have no notification; one with autoNotify is the platform's
 * to draw.
 */
function drawn(message: PushMessage, look: AppLook): NotificationContent | undefined {
  const { silent, inApp, autoNotify, notification } = message.content
  if (silent || inApp || autoNotify) return undefined
  const icon = notification?.icon ?? look.icon
  return { ...notification, ...notificationText(message, look), ...(icon !== undefined && { icon }) }
}
