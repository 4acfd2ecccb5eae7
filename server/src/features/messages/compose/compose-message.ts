import { type AnyNotification, type Fallback, type Notification, type Throttle, transactional } from '@peyk/contract'
import type { LocalTime } from '../local-time/local-time.ts'
import { composeContents, type LanguageContent } from './compose-contents.ts'
import { composeTest, type TestContent } from './compose-test.ts'
import { pick } from './pick.ts'

/** What a message says, as it is kept: known fields only, and flags only when they are set. */
export interface MessageContent extends TestContent {
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
  /** What differs by language, by the language’s tag. */
  contents?: Record<string, LanguageContent>
  /** When it was scheduled for, in epoch milliseconds. */
  sendAt?: number
  /** Not kept where it is transactional. */
  category?: string
  quietHours?: 'ignore'
  whenCapped?: 'wait'
  /** It goes to each user at this time on the user's own clock; `sendAt` is when it started. */
  localTime?: StoredLocalTime
  /** The series that it is an occurrence of. */
  seriesId?: string
  throttle?: Throttle
}

export interface StoredLocalTime extends LocalTime {
  /** How long it lives for each user from that time on, in seconds. */
  ttl: number
}

const flags = ['inApp', 'live', 'autoNotify', 'useAsAlert', 'silent'] as const
const notificationFlags = ['contentAvailable', 'mutableContent', 'requireInteraction', 'renotify'] as const
type NotificationFlag = (typeof notificationFlags)[number]

export type NotificationContent = Omit<Notification, 'text' | NotificationFlag> & { [Flag in NotificationFlag]?: true }

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
  if (sent.contents) composed.contents = composeContents(sent.contents)
  if (sent.throttle) composed.throttle = { perMinute: sent.throttle.perMinute }
  if (sent.variants || sent.control) Object.assign(composed, composeTest(sent))
  return Object.assign(composed, composeRules(sent))
}

function composeNotification(sent: Notification): NotificationContent {
  const composed: NotificationContent = pick(sent, notificationFields)
  const body = sent.body ?? sent.text
  if (body !== undefined) composed.body = body
  for (const flag of notificationFlags) if (sent[flag]) composed[flag] = true
  if (sent.actions?.length) composed.actions = sent.actions.map((action) => pick(action, actionFields))
  return composed
}

/** What decides whether and when a message with a category is handed over. */
function composeRules({ category, quietHours, whenCapped }: AnyNotification) {
  if (category === undefined || category === '' || category === transactional) return undefined
  return {
    category,
    ...(quietHours === 'ignore' && { quietHours }),
    ...(whenCapped === 'wait' && { whenCapped }),
  }
}

/** [sending.md#sms-fallback] */
function composeFallback(sent: Fallback): Required<Fallback> {
  return {
    content: sent.content,
    delay: sent.delay ?? defaultFallbackDelaySeconds,
    media: 'sms',
    policy: sent.policy ?? 'NOT_RECEIVED',
  }
}
