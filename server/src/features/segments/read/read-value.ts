import { show } from '@peyk/contract'
import { readDate } from '../../installations/attributes/value-kind.ts'
import { readChannel, subscriptionOf } from '../../installations/channels/channel.ts'
import { versionKey } from '../../installations/version-key.ts'
import type { Scalar } from '../condition.ts'
import type { Kind } from '../fields.ts'

const hourMs = 3_600_000
const firstMs = Date.parse('0001-01-01T00:00:00Z')
const lastMs = Date.parse('9999-12-31T23:59:59.999Z')
/** Below it, a number beside `before` or `after` is not epoch milliseconds but hours without their "h". */
const plausibleMs = 100_000_000_000

export class ValueFault extends Error {
  /** What kind of value is expected. */
  readonly expected: Kind | 'hours' | undefined

  constructor(message: string, expected?: Kind | 'hours') {
    super(message)
    this.expected = expected
  }
}

/** A value as a kind has it [requests.md#bodies]; throws a ValueFault that says what was expected. */
export function readValue(kind: Kind, sent: unknown, at: Date): Scalar {
  const value = readers[kind](sent, at)
  if (value === undefined) throw new ValueFault(`Expected ${expectations[kind]}, got ${show(sent)}`, kind)
  return value
}

/** The value of `before` and `after`. */
export function readMoment(sent: unknown, at: Date): number {
  const isHours = typeof sent === 'number' || (typeof sent === 'string' && readNumber(sent) !== undefined)
  const moment = isHours && Math.abs(Number(sent)) < plausibleMs ? undefined : readTime(sent, at)
  if (moment === undefined) throw new ValueFault(`Expected a number of hours such as "6h", got ${show(sent)}`, 'hours')
  return moment
}

const moment = 'epoch milliseconds, an ISO 8601 date or a number of hours such as "6h"'

const expectations: Record<Kind, string> = {
  time: moment,
  date: moment,
  number: 'a number',
  version: 'a version such as "1.10.2"',
  text: 'a text',
  boolean: 'true or false',
  list: 'a text',
  tags: 'a tag',
  channel: 'a channel',
}

const readers: Record<Kind, (sent: unknown, at: Date) => Scalar | undefined> = {
  time: readTime,
  date: readTime,
  number: readNumber,
  version: (sent) => versionKey(readText(sent) ?? ''),
  text: readText,
  boolean: (sent) => {
    const flag = readBoolean(sent)
    return flag === undefined ? undefined : Number(flag)
  },
  list: readText,
  tags: readText,
  channel: (sent) => {
    const name = readText(sent)
    return name === undefined ? undefined : subscriptionOf(readChannel(name))
  },
}

function readNumber(sent: unknown): number | undefined {
  const number = typeof sent === 'string' && sent.trim() !== '' ? Number(sent) : sent
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

function readText(sent: unknown): string | undefined {
  if (typeof sent === 'string') return sent
  return typeof sent === 'number' && Number.isFinite(sent) ? String(sent) : undefined
}

export function readBoolean(sent: unknown): boolean | undefined {
  if (sent === true || sent === 'true' || sent === 1 || sent === '1') return true
  if (sent === false || sent === 'false' || sent === 0 || sent === '0') return false
  return undefined
}

/** Epoch milliseconds; `6h` is the moment six hours before `at`. */
function readTime(sent: unknown, at: Date): number | undefined {
  const hours = typeof sent === 'string' ? /^(\d+(?:\.\d+)?)h$/i.exec(sent.trim())?.[1] : undefined
  if (hours !== undefined) return Math.max(firstMs, Math.round(at.getTime() - Number(hours) * hourMs))
  const isDay = typeof sent === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(sent)
  const date = typeof sent === 'string' ? readDate(isDay ? `${sent}T00:00:00Z` : sent) : undefined
  const time = date ?? readNumber(sent)
  return time !== undefined && time >= firstMs && time <= lastMs ? time : undefined
}
