import type { NotificationContent } from '../compose/compose-message.ts'
import type { AppLook, PushMessage } from './compiled-push.ts'
import { notificationText } from './notification-text.ts'
import type { Payload } from './payload.ts'

type ApnsPayload = Omit<Extract<Payload, { provider: 'apns' }>, 'body'> & { body: object }

/**
 * Apple reads `aps`; the client library reads the keys beside it: messageId, trackId, clickUrl, data, `media` to attach,
 * and `category`, which it registers before the notification is shown, because iOS takes buttons only from there.
 */
export function apnsPayload(message: PushMessage, look: AppLook): ApnsPayload {
  const { notification, data, silent } = message.content
  const own = {
    messageId: message.id,
    ...(message.trackId !== undefined && { trackId: message.trackId }),
    ...(data && Object.keys(data).length > 0 && { data }),
  }
  const common = { provider: 'apns', collapseId: message.id } as const
  if (silent) {
    return { ...common, body: { aps: { 'content-available': 1 }, ...own }, pushType: 'background', priority: 5 }
  }
  const category = categoryOf(message)
  const extras = notification ? clientExtras(notification, category) : {}
  return {
    ...common,
    body: { aps: { alert: notificationText(message, look), ...displayOf(notification, category) }, ...own, ...extras },
    pushType: 'alert',
    priority: 10,
  }
}

function displayOf(notification: NotificationContent | undefined, category: string | undefined): object {
  if (!notification) return { sound: 'default' }
  const { sound, groupId, contentAvailable, mutableContent, mediaUrl, actions } = notification
  return {
    sound: sound ?? 'default',
    ...(groupId !== undefined && { 'thread-id': groupId }),
    ...(category !== undefined && { category }),
    ...(contentAvailable && { 'content-available': 1 }),
    // The library's extension runs only for these: it loads media and registers buttons.
    ...((mutableContent || mediaUrl !== undefined || actions) && { 'mutable-content': 1 }),
  }
}

function clientExtras(notification: NotificationContent, category: string | undefined): object {
  const { clickUrl, mediaUrl, mediaType, actions } = notification
  return {
    ...(clickUrl !== undefined && { clickUrl }),
    ...(mediaUrl !== undefined && { media: { url: mediaUrl, ...(mediaType !== undefined && { type: mediaType }) } }),
    ...(actions && { category: { id: category, actions } }),
  }
}

/** Buttons without a category get one of their own: iOS shows the buttons that were last registered under an id. */
function categoryOf({ id, content: { notification } }: PushMessage): string | undefined {
  return notification?.category ?? (notification?.actions && `peyk-${id}`)
}
