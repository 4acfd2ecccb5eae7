import { type DraftTest, noTest } from '../variants/draft-test.ts'
import { type DraftRepeat, noRepeat } from './compose-repeat.ts'
import type { DraftLanguages } from './draft-texts.ts'
import type { Span } from './span.ts'

export type WhoKind = 'users' | 'segment' | 'rules' | 'channel' | 'everybody'

export interface DraftAction {
  id: string
  title: string
  url: string
  icon: string
  action: string
  options: number
}

export const notificationTexts = [
  'title',
  'body',
  'clickUrl',
  'mediaUrl',
  'mediaType',
  'icon',
  'largeIcon',
  'smallIcon',
  'chromeBadge',
  'color',
  'ledColor',
  'sound',
  'groupId',
  'category',
  'dir',
] as const
export type NotificationText = (typeof notificationTexts)[number]

export const notificationFlags = ['contentAvailable', 'mutableContent', 'requireInteraction', 'renotify'] as const
export type NotificationFlag = (typeof notificationFlags)[number]

export const flagNames = ['silent', 'inApp', 'live', 'autoNotify', 'useAsAlert'] as const
export type FlagName = (typeof flagNames)[number]

export const lateChoices = ['now', 'nextDay', 'skip'] as const

export interface DraftTime {
  isLater: boolean
  /** ISO 8601; empty while it is not chosen. */
  at: string
  /** What the member's clock shows then is meant on each user's clock. */
  isLocal?: boolean
  /** For users whose time has passed. */
  late?: (typeof lateChoices)[number]
}

/** Exempt from limits and preferences. */
export const transactional = 'transactional'

/** What is being composed, as it is typed: also what is not right yet is kept. */
export interface Draft {
  who: { kind: WhoKind; users: string; segment: string; rules: unknown; channel: string }
  product: 'message' | 'notification'
  content: string
  alertText: string
  data: string
  trackId: string
  channel: string
  clientId: string
  /** Empty: none is chosen, which is transactional, or to a group what the app has for these. */
  category: string
  ignoresQuietHours: boolean
  waitsWhenCapped: boolean
  when: DraftTime
  repeat: DraftRepeat
  /** Devices a minute at most; empty: as fast as it goes. */
  perMinute: string
  ttl: Span
  flags: Record<FlagName, boolean>
  notification: Record<NotificationText, string> &
    Record<NotificationFlag, boolean> & { vibrate: string; actions: DraftAction[] }
  fallback: { isOn: boolean; content: string; delay: Span; policy: 'NOT_RECEIVED' | 'NOTIFICATION_SHOWN' }
  /** What is typed for the values that the texts ask for, by their names. */
  values: Record<string, string>
  /** What it says in other languages, by their tags. */
  languages: DraftLanguages
  test: DraftTest
}

type DraftRules = Pick<Draft, 'category' | 'ignoresQuietHours' | 'waitsWhenCapped'>

/** What a template can say of it. Where a template names no category, that of the draft stays, and so do values. */
export type DraftContent = Omit<
  Draft,
  'who' | 'trackId' | 'channel' | 'clientId' | 'when' | 'repeat' | 'perMinute' | 'test' | 'values' | keyof DraftRules
> &
  Partial<DraftRules & Pick<Draft, 'values'>>

export const emptyAction: DraftAction = { id: '', title: '', url: '', icon: '', action: '', options: 0 }

export const emptyDraft: Draft = {
  who: { kind: 'users', users: '', segment: '', rules: undefined, channel: '' },
  product: 'message',
  content: '',
  alertText: '',
  data: '',
  trackId: '',
  channel: '',
  clientId: '',
  category: '',
  ignoresQuietHours: false,
  waitsWhenCapped: false,
  when: { isLater: false, at: '' },
  repeat: noRepeat,
  perMinute: '',
  ttl: { amount: '', unit: 'hours' },
  flags: { silent: false, inApp: false, live: false, autoNotify: false, useAsAlert: false },
  notification: {
    ...(Object.fromEntries(notificationTexts.map((name) => [name, ''])) as Record<NotificationText, string>),
    ...(Object.fromEntries(notificationFlags.map((name) => [name, false])) as Record<NotificationFlag, boolean>),
    vibrate: '',
    actions: [],
  },
  fallback: { isOn: false, content: '', delay: { amount: '60', unit: 'seconds' }, policy: 'NOT_RECEIVED' },
  values: {},
  languages: {},
  test: noTest,
}
