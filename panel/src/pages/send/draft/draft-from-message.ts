import type { AnyNotification, ComposedMessage } from '@peyk/contract'
import { composeReceivers } from './compose.ts'
import {
  type Draft,
  type DraftAction,
  emptyAction,
  emptyDraft,
  flagNames,
  notificationFlags,
  notificationTexts,
  type Span,
  secondsOf,
  type Unit,
} from './draft.ts'

/** A message that was sent, as the service tells of it. */
export interface SentMessage extends Omit<AnyNotification, 'data' | 'user'> {
  product: ComposedMessage['product']
  audience: 'users' | 'public' | 'query'
  user?: string
  userCount?: number
  /** The saved segment that it was sent to. */
  segmentId?: string
  data?: Record<string, unknown>
  createdAt: number
  expireAt: number
}

const defaultSeconds = { message: 30 * 86_400, notification: 28 * 86_400 }

/** The draft that would send it again. Where not all users are told, they are chosen anew. */
export function draftFromMessage(message: SentMessage): Draft {
  const { notification = { title: '' }, fallback, product } = message
  const seconds = Math.round((message.expireAt - message.createdAt) / 1000)
  return {
    ...emptyDraft,
    who: whoOf(message),
    product,
    content: message.content ?? '',
    alertText: message.alertText ?? '',
    data: message.data && Object.keys(message.data).length > 0 ? JSON.stringify(message.data, null, 2) : '',
    trackId: message.trackId ?? '',
    channel: message.audience === 'users' && message.channel?.includes('/') ? message.channel : '',
    clientId: '',
    ttl: seconds === defaultSeconds[product] ? emptyDraft.ttl : spanOf(seconds),
    flags: { ...emptyDraft.flags, ...Object.fromEntries(flagNames.map((flag) => [flag, message[flag] === true])) },
    notification: {
      ...emptyDraft.notification,
      ...Object.fromEntries(notificationTexts.map((name) => [name, notification[name] ?? ''])),
      vibrate: notification.vibrate?.join(', ') ?? '',
      ...Object.fromEntries(notificationFlags.map((name) => [name, notification[name] === true])),
      actions: (notification.actions ?? []).map((action): DraftAction => ({ ...emptyAction, ...action })),
    },
    fallback: fallback
      ? {
          isOn: true,
          content: fallback.content,
          delay: spanOf(fallback.delay ?? 60),
          policy: fallback.policy ?? 'NOT_RECEIVED',
        }
      : emptyDraft.fallback,
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
  const isOnChannel = channel?.startsWith('public/')
  if (audience === 'public' || isEmpty(target)) {
    return isOnChannel
      ? { ...who, kind: 'channel', channel: channel?.slice('public/'.length) ?? '' }
      : { ...who, kind: 'everybody' }
  }
  // A where-filter has no form here: nobody is chosen, so that nobody is reached by mistake.
  return { ...who, kind: 'rules' }
}

function isEmpty(target: unknown): boolean {
  return typeof target === 'object' && target !== null && Object.keys(target).length === 0
}

export function spanOf(seconds: number): Span {
  const units: Unit[] = ['days', 'hours', 'minutes']
  const unit = units.find((each) => seconds > 0 && seconds % secondsOf[each] === 0) ?? 'seconds'
  return { amount: String(seconds / secondsOf[unit]), unit }
}
