import type { AnyNotification, Fallback, Notification } from '@peyk/contract'

/** What a message says, as it is kept: known fields only, and flags only when they are set. */
export interface MessageContent {
  content?: string
  data?: Record<string, unknown>
  alertText?: string
  inApp?: true
  live?: true
  autoNotify?: true
  useAsAlert?: true
  silent?: true
  notification?: NotificationContent
  fallback?: Required<Fallback>
}

export interface NotificationContent extends Omit<Notification, 'text' | 'contentAvailable' | 'mutableContent'> {
  contentAvailable?: true
  mutableContent?: true
}

const flags = ['inApp', 'live', 'autoNotify', 'useAsAlert', 'silent'] as const
const notificationFields = [
  'title',
  'groupId',
  'icon',
  'sound',
  'clickUrl',
  'ledColor',
  'smallIcon',
  'largeIcon',
  'chromeBadge',
  'color',
  'dir',
  'vibrate',
  'mediaType',
  'mediaUrl',
  'category',
] as const
const actionFields = ['id', 'title', 'options', 'icon', 'url', 'action'] as const

const defaultFallbackDelaySeconds = 60

export function composeMessage(sent: AnyNotification): MessageContent {
  const composed: MessageContent = pick(sent, ['content', 'alertText'])
  if (sent.data) composed.data = Array.isArray(sent.data) ? {} : sent.data
  for (const flag of flags) if (sent[flag]) composed[flag] = true
  if (sent.notification) composed.notification = composeNotification(sent.notification)
  if (sent.fallback) composed.fallback = composeFallback(sent.fallback)
  return composed
}

function composeNotification(sent: Notification): NotificationContent {
  const composed: NotificationContent = pick(sent, notificationFields)
  const body = sent.body ?? sent.text
  if (body !== undefined) composed.body = body
  if (sent.contentAvailable) composed.contentAvailable = true
  if (sent.mutableContent) composed.mutableContent = true
  if (sent.actions?.length) composed.actions = sent.actions.map((action) => pick(action, actionFields))
  return composed
}

/** [choice 29] */
function composeFallback(sent: Fallback): Required<Fallback> {
  return {
    content: sent.content,
    delay: sent.delay ?? defaultFallbackDelaySeconds,
    media: 'sms',
    policy: sent.policy ?? 'NOT_RECEIVED',
  }
}

function pick<T extends object, Key extends keyof T>(source: T, keys: readonly Key[]): Pick<T, Key> {
  const picked = {} as Pick<T, Key>
  for (const key of keys) if (source[key] !== undefined) picked[key] = source[key]
  return picked
}
