import type { ComposedMessage, LocalTime, Notification } from '@peyk/contract'
import { clockOf } from '#parts/fields/clock-of.ts'
import { isComplete, isEmpty } from '#parts/segment-builder/segment-draft.ts'
import { plainDigits } from '#texts/digits.ts'
import { composeTest } from '../variants/compose-variants.ts'
import { composeRepeat } from './compose-repeat.ts'
import {
  type Draft,
  type DraftAction,
  flagNames,
  notificationFlags,
  notificationTexts,
  transactional,
} from './draft.ts'
import { composeContents } from './draft-languages.ts'
import type { LocalFault, LocalFaults } from './local-fault.ts'
import { readSpan } from './read-span.ts'
import { readUserIds } from './read-user-ids.ts'

export const maxUsers = 10_000

/** Whom the request is for; empty where that is not chosen yet. */
export function composeReceivers(draft: Draft): { receivers: Partial<ComposedMessage>; faults: LocalFaults } {
  const { kind, users, segment, rules, channel } = draft.who
  // Channels do not apply to notifications: there a rule says the same.
  const own = draft.product === 'message' && draft.channel.trim() !== '' ? { channel: draft.channel.trim() } : {}
  switch (kind) {
    case 'users': {
      const { ids, wrong } = readUserIds(users)
      if (wrong.length > 0) return refuse('users', 'wrongUsers')
      if (ids.length === 0) return refuse('users', 'noUsers')
      if (ids.length > maxUsers) return refuse('users', 'tooManyUsers')
      return take({ users: ids, ...own })
    }
    case 'segment':
      return segment === '' ? refuse('target', 'noSegment') : take({ target: segment, ...own })
    case 'rules':
      if (isEmpty(rules)) return refuse('segment', 'noRules')
      if (!isComplete(rules)) return refuse('segment', 'incompleteRules')
      return take({ segment: rules as Record<string, unknown>, ...own })
    case 'channel': {
      const name = channel.trim().replace(/^\/?public\//, '')
      if (name === '') return refuse('channel', 'noChannel')
      const rule = { name: 'channel', operator: 'equal_to', value: `public/${name}` }
      return draft.product === 'message'
        ? take({ target: {}, channel: `public/${name}` })
        : take({ segment: { all: [rule] } })
    }
    case 'everybody':
      return take({ target: {}, ...own })
  }
}

function take(receivers: Partial<ComposedMessage>) {
  return { receivers, faults: {} }
}

function refuse(field: string, fault: LocalFault) {
  return { receivers: {}, faults: { [field]: fault } }
}

/** What it says and how it goes; `appName` is the title where none is typed and the notification has other fields. */
export function composeMessage(draft: Draft, appName: string): { message: ComposedMessage; faults: LocalFaults } {
  const faults: LocalFaults = {}
  const message: ComposedMessage = { product: draft.product }
  const isMessage = draft.product === 'message'
  if (isMessage) message.content = draft.content
  if (isMessage && draft.content.trim() === '') faults.content = 'noText'
  if (draft.alertText !== '') message.alertText = draft.alertText
  if (draft.trackId.trim() !== '') message.trackId = draft.trackId.trim()
  if (draft.clientId.trim() !== '') message.clientId = draft.clientId.trim()
  for (const flag of flagNames) if (draft.flags[flag]) message[flag] = true
  if (draft.category !== '') message.category = draft.category
  if (draft.category !== transactional) {
    if (draft.ignoresQuietHours) message.quietHours = 'ignore'
    if (draft.waitsWhenCapped) message.whenCapped = 'wait'
  }
  const data = readData(draft.data)
  if (data.fault) faults.data = data.fault
  else if (data.value) message.data = data.value
  const ttl = readSpan(draft.ttl)
  if (ttl === 'notNumber') faults.ttl = ttl
  else if (ttl !== undefined) message.ttl = ttl
  const perMinute = readWhole(draft.perMinute)
  if (perMinute === 'notWhole') faults['throttle.perMinute'] = perMinute
  else if (perMinute !== undefined) message.throttle = { perMinute }
  const sendAt = readWhen(draft.when)
  if (typeof sendAt === 'string') faults.sendAt = sendAt
  else if (sendAt !== undefined) {
    message.sendAt = sendAt
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
    const { repeat, faults: wrong } = composeRepeat(draft.repeat, new Date(draft.when.at), zone)
    if (repeat) message.repeat = repeat
    Object.assign(faults, wrong)
  }
  const notification = composeNotification(draft, appName, faults)
  if (notification) message.notification = notification
  if (!isMessage && notification?.body === undefined && !draft.flags.silent && !draft.alertText) {
    faults['notification.body'] = 'noText'
  }
  if (draft.fallback.isOn && draft.who.kind === 'users') message.fallback = composeFallback(draft, faults)
  const contents = composeContents(draft.languages, message)
  if (contents) {
    message.contents = contents
    const isDrawn = Object.values(contents).some((texts) => texts.notification)
    if (isDrawn) message.notification ??= { title: appName }
  }
  composeTest(draft, message, appName, faults)
  return { message, faults }
}

function composeNotification(draft: Draft, appName: string, faults: LocalFaults): Notification | undefined {
  const sent = draft.notification
  const notification: Partial<Notification> = {}
  for (const name of notificationTexts) {
    const text = name === 'title' || name === 'body' ? sent[name] : sent[name].trim()
    if (text !== '') notification[name] = text
  }
  for (const name of notificationFlags) if (sent[name]) notification[name] = true
  const vibrate = readVibration(sent.vibrate)
  if (vibrate === undefined) faults['notification.vibrate'] = 'wrongVibration'
  else if (vibrate.length > 0) notification.vibrate = vibrate
  for (const [index, { title }] of sent.actions.entries()) {
    if (title.trim() === '') faults[`notification.actions[${index}].title`] = 'noActionTitle'
  }
  if (sent.actions.length > 0) notification.actions = sent.actions.map(composeAction)
  if (Object.keys(notification).length === 0 && draft.product === 'message') return undefined
  return { ...notification, title: notification.title ?? appName }
}

function composeAction({ options, ...texts }: DraftAction, index: number) {
  const given = Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== ''))
  return { id: `action-${index + 1}`, ...given, ...(options > 0 && { options }) }
}

function composeFallback({ fallback }: Draft, faults: LocalFaults) {
  if (fallback.content.trim() === '') faults['fallback.content'] = 'noSmsText'
  const delay = readSpan(fallback.delay)
  if (delay === 'notNumber') faults['fallback.delay'] = delay
  return {
    content: fallback.content,
    ...(typeof delay === 'number' && { delay }),
    media: 'sms',
    policy: fallback.policy,
  }
}

/** As the request has it; undefined for now. */
export function readWhen(
  { isLater, at, isLocal, late = 'now' }: Draft['when'],
  now = Date.now(),
): number | LocalTime | undefined | 'noTime' | 'pastTime' {
  if (!isLater) return undefined
  const time = Date.parse(at)
  if (Number.isNaN(time)) return 'noTime'
  if (!isLocal) return time <= now ? 'pastTime' : time
  const local = clockOf(time)
  return Date.parse(`${local}Z`) + behindUtcMs <= now ? 'pastTime' : { local, late }
}

/** The last clocks on earth, those of UTC−12, are so far behind. */
const behindUtcMs = 12 * 3_600_000

/** Undefined where nothing is said. */
function readWhole(typed: string): number | undefined | 'notWhole' {
  const text = plainDigits(typed.replace(/[\s,٬]/g, ''))
  if (text === '') return undefined
  return /^[1-9]\d{0,7}$/.test(text) ? Number(text) : 'notWhole'
}

export function readData(text: string): { value?: Record<string, unknown>; fault?: LocalFault } {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return { fault: 'notObject' }
    return { value: value as Record<string, unknown> }
  } catch {
    return { fault: 'notJson' }
  }
}

/** `200, 100, 200`: empty is none, undefined is wrong. */
export function readVibration(text: string): number[] | undefined {
  const parts = plainDigits(text)
    .split(/[\s,،]+/u)
    .filter((part) => part !== '')
  const numbers = parts.map(Number)
  return numbers.every((number) => Number.isFinite(number) && number >= 0) ? numbers : undefined
}
