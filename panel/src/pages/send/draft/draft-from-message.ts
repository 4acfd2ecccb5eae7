import type { MessageCounts, MessageDetail, TemplateMessage } from '@peyk/contract'
import { withSentTest } from '../variants/test-from-message.ts'
import { composeReceivers } from './compose.ts'
import {
  type Draft,
  type DraftAction,
  type DraftContent,
  emptyAction,
  emptyDraft,
  flagNames,
  notificationFlags,
  notificationTexts,
  transactional,
} from './draft.ts'
import { languagesOf } from './draft-languages.ts'
import { type Span, secondsOf, type Unit } from './span.ts'

/** A message that was sent, as the service tells of it. */
export type SentMessage = Omit<MessageDetail, 'id' | 'count' | 'state' | keyof MessageCounts>

const defaultSeconds = { message: 30 * 86_400, notification: 28 * 86_400 }

/** The draft that would send it again. Where not all users are told, they are chosen anew. */
export function draftFromMessage(message: SentMessage): Draft {
  const { product } = message
  const { localTime, expireAt, sendAt = message.createdAt } = message
  const seconds = localTime?.ttl ?? Math.round((expireAt - sendAt) / 1000)
  const draft: Draft = {
    ...emptyDraft,
    ...draftContent(product, message as TemplateMessage),
    who: whoOf(message),
    trackId: message.trackId ?? '',
    // To a group, none would be what the app has for these by now.
    category: message.category ?? (message.audience === 'users' ? '' : transactional),
    ignoresQuietHours: message.quietHours === 'ignore',
    waitsWhenCapped: message.whenCapped === 'wait',
    channel: message.audience === 'users' && message.channel.includes('/') ? message.channel : '',
    ttl: seconds === defaultSeconds[product] ? emptyDraft.ttl : spanOf(seconds),
  }
  return withSentTest(draft, message)
}

/** What a template says, which is all but whom it goes to and what it counts for. */
export function draftFromTemplate(message: TemplateMessage): DraftContent {
  return {
    ...draftContent(message.content === undefined ? 'notification' : 'message', message),
    ttl: message.ttl ? spanOf(message.ttl) : emptyDraft.ttl,
    ...(message.category !== undefined && {
      category: message.category,
      ignoresQuietHours: message.quietHours === 'ignore',
      waitsWhenCapped: message.whenCapped === 'wait',
    }),
  }
}

function draftContent(product: Draft['product'], message: TemplateMessage): Omit<DraftContent, 'ttl'> {
  const { notification = { title: '' }, fallback, data } = message
  return {
    product,
    content: message.content ?? '',
    alertText: message.alertText ?? '',
    data: data && Object.keys(data).length > 0 ? JSON.stringify(data, null, 2) : '',
    flags: { ...emptyDraft.flags, ...Object.fromEntries(flagNames.map((flag) => [flag, message[flag] === true])) },
    notification: {
      ...emptyDraft.notification,
      ...Object.fromEntries(notificationTexts.map((name) => [name, textOf(notification[name])])),
      vibrate: listOf(notification.vibrate).join(', '),
      ...Object.fromEntries(notificationFlags.map((name) => [name, notification[name] === true])),
      actions: listOf(notification.actions).map((action): DraftAction => ({ ...emptyAction, ...action })),
    },
    fallback: fallback
      ? {
          isOn: true,
          content: textOf(fallback.content),
          delay: spanOf(Number(fallback.delay ?? 60)),
          policy: fallback.policy === 'NOTIFICATION_SHOWN' ? fallback.policy : 'NOT_RECEIVED',
        }
      : emptyDraft.fallback,
    languages: languagesOf(message.contents, listOf(notification.actions)),
  }
}

export type LostReceivers = 'filter' | 'users'

/** Why its draft has no receivers. */
export function findLost(message: SentMessage): LostReceivers | undefined {
  const { receivers } = composeReceivers(draftFromMessage(message))
  if (Object.keys(receivers).length > 0) return undefined
  return message.audience === 'users' ? 'users' : 'filter'
}

function whoOf({ audience, channel, target, segment, ...sent }: SentMessage): Draft['who'] {
  const who = emptyDraft.who
  if (audience === 'users') {
    const users = sent.user === undefined ? (sent.users ?? []) : [sent.user]
    return { ...who, users: users.length === (sent.userCount ?? 1) ? users.join('\n') : '' }
  }
  if (sent.segmentId !== undefined) return { ...who, kind: 'segment', segment: sent.segmentId }
  if (segment !== undefined) return { ...who, kind: 'rules', rules: segment }
  const isOnChannel = channel.startsWith('public/')
  if (audience === 'public' || isEmpty(target)) {
    return isOnChannel
      ? { ...who, kind: 'channel', channel: channel.slice('public/'.length) }
      : { ...who, kind: 'everybody' }
  }
  // A where-filter has no form here: nobody is chosen, so that nobody is reached by mistake.
  return { ...who, kind: 'rules' }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function listOf(value: unknown) {
  return Array.isArray(value) ? value : []
}

function isEmpty(target: unknown): boolean {
  return typeof target === 'object' && target !== null && Object.keys(target).length === 0
}

export function spanOf(seconds: number): Span {
  const units: Unit[] = ['days', 'hours', 'minutes']
  const unit = units.find((each) => seconds > 0 && seconds % secondsOf[each] === 0) ?? 'seconds'
  return { amount: String(seconds / secondsOf[unit]), unit }
}
