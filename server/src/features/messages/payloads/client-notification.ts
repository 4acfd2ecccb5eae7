import type { NotificationContent } from '../compose/compose-message.ts'
import type { AppLook, PushMessage } from './compiled-push.ts'
import { notificationText } from './notification-text.ts'

/**
 * What the client library draws a notification from. Web push is given it as JSON. FCM is given each field as a text of
 * its `data`: a text as it is, anything else as JSON (`"silent": "true"`, `"actions": "[{…}]"`, `"data": "{…}"`), so
 * that the sender's own keys are never FCM's reserved ones. What only a phone can do is in PhoneExtras, what only a
 * browser can in WebExtras. A message that FCM displays itself (autoNotify) has title, body and image in FCM's `notification` and not here.
 */
export interface ClientNotification {
  messageId: string
  trackId?: string
  /** Nothing is shown: there are no fields but messageId, trackId and data then. */
  silent?: true
  /** The message's id: a notification that came by two paths is one. */
  tag?: string
  title?: string
  body?: string
  icon?: string
  image?: string
  badge?: string
  dir?: string
  vibrate?: number[]
  actions?: ClientAction[]
  clickUrl?: string
  data?: Record<string, unknown>
}

/** Beside them for browsers. */
export interface WebExtras {
  /** It stays until the user touches it. */
  requireInteraction?: true
  /** Sound and vibration again when it replaces one with its tag; browsers refuse it without a tag. */
  renotify?: true
}

export interface ClientAction {
  id?: string
  action?: string
  title?: string
  icon?: string
  url?: string
}

/** Beside them in FCM's data. */
export interface PhoneExtras {
  /** Groups notifications; never replaces one. */
  groupId?: string
  sound?: string
  ledColor?: string
  smallIcon?: string
  largeIcon?: string
  color?: string
  category?: string
  contentAvailable?: true
  /** Media that is no image. */
  mediaType?: string
  mediaUrl?: string
}

export function clientNotification(message: PushMessage, look: AppLook): ClientNotification {
  const { notification, data, silent } = message.content
  const known: ClientNotification = { messageId: message.id }
  if (message.trackId !== undefined) known.trackId = message.trackId
  if (data && Object.keys(data).length > 0) known.data = data
  if (silent) return { ...known, silent: true }
  return {
    ...notificationText(message, look),
    ...drawing(notification, look),
    tag: message.id,
    ...known,
  }
}

function drawing(notification: NotificationContent | undefined, look: AppLook): Partial<ClientNotification> {
  const drawn: Partial<ClientNotification> = {}
  const icon = notification?.icon ?? look.icon
  if (icon !== undefined) drawn.icon = icon
  if (!notification) return drawn
  const { chromeBadge, dir, vibrate, actions, clickUrl, mediaUrl } = notification
  if (mediaUrl !== undefined && isImage(notification)) drawn.image = mediaUrl
  if (chromeBadge !== undefined) drawn.badge = chromeBadge
  if (isDirection(dir)) drawn.dir = dir.toLowerCase()
  if (vibrate?.length) drawn.vibrate = vibrate
  if (actions) drawn.actions = actions.map(({ options: _onlyApple, ...action }) => action)
  if (clickUrl !== undefined) drawn.clickUrl = clickUrl
  return drawn
}

export function webExtras({ requireInteraction, renotify }: NotificationContent): WebExtras {
  return { ...(requireInteraction && { requireInteraction }), ...(renotify && { renotify }) }
}

export function phoneExtras(notification: NotificationContent): PhoneExtras {
  const { groupId, sound, ledColor, smallIcon, largeIcon, color, category, contentAvailable } = notification
  const { mediaType, mediaUrl } = notification
  return {
    ...(groupId !== undefined && { groupId }),
    ...(sound !== undefined && { sound }),
    ...(ledColor !== undefined && { ledColor }),
    ...(smallIcon !== undefined && { smallIcon }),
    ...(largeIcon !== undefined && { largeIcon }),
    ...(color !== undefined && { color }),
    ...(category !== undefined && { category }),
    ...(contentAvailable && { contentAvailable }),
    ...(mediaUrl !== undefined &&
      !isImage(notification) && { mediaUrl, ...(mediaType !== undefined && { mediaType }) }),
  }
}

const imageTypes = /^(?:image(?:\/.*)?|jpe?g|png|gif|webp|avif|heic|bmp|svg)$/i

/** Media of no type is taken for an image: that is what the field is mostly used for. */
export function isImage({ mediaType }: Pick<NotificationContent, 'mediaType'>): boolean {
  return mediaType === undefined || mediaType === '' || imageTypes.test(mediaType.replace(/^\./, ''))
}

/** Browsers refuse a notification with any other word. */
function isDirection(dir: string | undefined): dir is string {
  return dir !== undefined && /^(?:ltr|rtl|auto)$/i.test(dir)
}
