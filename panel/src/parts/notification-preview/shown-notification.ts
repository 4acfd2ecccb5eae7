import type { Notification } from '@peyk/contract'

/** What a notification is drawn from. */
export type DrawnNotification = Partial<Omit<Notification, 'title' | 'body' | 'text'>> & { title: string; body: string }

/** What the app says of itself where a message says nothing. */
export interface Look {
  name: string
  notificationText?: string
  icon?: string
}

export interface SentTexts {
  content?: string
  alertText?: string
  useAsAlert?: boolean
  silent?: boolean
  inApp?: boolean
  notification?: Partial<Notification>
}

/** The service's own rule: the notification's text, else alertText, else content when told so, else the app's, else content. */
export function drawnNotification(message: SentTexts, look: Look): DrawnNotification {
  const { notification = {}, alertText, content, useAsAlert } = message
  const body =
    given(notification.body) ??
    given(notification.text) ??
    given(alertText) ??
    (useAsAlert ? given(content) : undefined) ??
    given(look.notificationText) ??
    content ??
    ''
  return { ...notification, title: given(notification.title) ?? look.name, body }
}

function given(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : text
}

/** Only these are pictures that a browser may load; others are names of pictures inside the app. */
export function pictureUrl(text: string | undefined): string | undefined {
  return text !== undefined && /^(?:https?:\/\/[^\s]+|data:image\/)/i.test(text) ? text : undefined
}

const imageTypes = /^(?:image(?:\/.*)?|jpe?g|png|gif|webp|avif|heic|bmp|svg)$/i

/** Media of no type is taken for an image. */
export function imageOf({ mediaUrl, mediaType }: Pick<Notification, 'mediaUrl' | 'mediaType'>): string | undefined {
  const isImage = mediaType === undefined || mediaType === '' || imageTypes.test(mediaType.replace(/^\./, ''))
  return isImage ? pictureUrl(mediaUrl) : undefined
}

/** A colour as Android takes it. */
export function accentOf(color: string | undefined): string | undefined {
  return color !== undefined && /^#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(color) ? color : undefined
}

export function directionOf(dir: string | undefined): 'rtl' | 'ltr' | 'auto' {
  const word = dir?.toLowerCase()
  return word === 'rtl' || word === 'ltr' ? word : 'auto'
}
