import { show } from '@peyk/contract'
import { RequestError } from '#base/errors.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const daysAhead = 366
/** Digits that are no epoch milliseconds of our time: most likely seconds. */
const firstMs = 1e11
const moment = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(:\d\d([.,]\d{1,9})?)?(Z|[+-]\d\d(:?\d\d)?)$/i

type Sent = number | string | undefined | null

/** When a message is to go; undefined for now, which the last hour counts as. */
export function readSendTime(sent: Sent, now: Date): Date | undefined {
  const at = readStartTime(sent, now)
  return at && at > now ? at : undefined
}

/** The same, and of the last hour as it was said; undefined when nothing was said. */
export function readStartTime(sent: Sent, now: Date): Date | undefined {
  if (sent === undefined || sent === null || sent === '') return undefined
  const at = readMoment(sent, 'sendAt')
  if (at.getTime() < now.getTime() - HOUR) throw fault('sendAt', `${at.toISOString()} was more than an hour ago`)
  if (at.getTime() > now.getTime() + daysAhead * DAY)
    throw fault('sendAt', `${at.toISOString()} is more than a year ahead`)
  return at
}

export function readMoment(sent: number | string, field: string): Date {
  const at = typeof sent === 'number' || /^\d+$/.test(sent) ? readMilliseconds(Number(sent), field) : readIso(sent)
  if (at !== undefined) return new Date(at)
  throw fault(
    field,
    `expected epoch milliseconds, or a date and time with its offset, such as "2026-12-01T09:00+03:30", got ${show(sent)}`,
  )
}

function readMilliseconds(ms: number, field: string): number | undefined {
  if (ms > 0 && ms < firstMs) throw fault(field, `expected epoch milliseconds, got ${ms}, which looks like seconds`)
  return Number.isSafeInteger(ms) && ms < 1e14 ? ms : undefined
}

/** JavaScript would take 31 February for 3 March. */
function readIso(sent: string): number | undefined {
  const [, year, month, day] = moment.exec(sent) ?? []
  const date = new Date(`${year}-${month}-${day}T00:00Z`)
  if (Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(day)) return undefined
  const at = Date.parse(sent.replace(',', '.').replace(/([+-]\d\d)$/, '$1:00'))
  return Number.isNaN(at) ? undefined : at
}

function fault(field: string, what: string): RequestError {
  return new RequestError('invalid-request', `"${field}": ${what}.`, { details: { field } })
}
