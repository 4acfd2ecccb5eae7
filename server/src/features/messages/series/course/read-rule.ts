import { show } from '@peyk/contract'
import { RequestError } from '#base/errors.ts'

/** A rule that was read: what is kept of it, and its own end. */
export interface ReadRule {
  rule: string
  count: number | undefined
  /** As RFC 5545 writes it. */
  until: string | undefined
}

const frequencies = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY'] as const
type Frequency = (typeof frequencies)[number]

/** Ten years: nobody waits longer for the next one. */
const longestInterval: Record<Frequency, number> = {
  YEARLY: 10,
  MONTHLY: 120,
  WEEKLY: 520,
  DAILY: 3650,
  HOURLY: 87_600,
}

interface Part {
  from: number
  to: number
  /** Counted from the end, too: -1 is the last. */
  hasNegative?: true
  /** More than one value would be more often than hourly. */
  isSingle?: true
  notWith?: readonly Frequency[]
}

/** [RFC 5545, 3.3.10] */
const numberParts: Record<string, Part> = {
  BYMONTH: { from: 1, to: 12 },
  BYWEEKNO: { from: 1, to: 53, hasNegative: true, notWith: ['MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY'] },
  BYYEARDAY: { from: 1, to: 366, hasNegative: true, notWith: ['MONTHLY', 'WEEKLY', 'DAILY'] },
  BYMONTHDAY: { from: 1, to: 31, hasNegative: true, notWith: ['WEEKLY'] },
  BYHOUR: { from: 0, to: 23 },
  BYMINUTE: { from: 0, to: 59, isSingle: true },
  BYSECOND: { from: 0, to: 59, isSingle: true },
  BYSETPOS: { from: 1, to: 366, hasNegative: true, notWith: ['DAILY', 'HOURLY'] },
}
const days = 'MO|TU|WE|TH|FR|SA|SU'
const untilForm = /^\d{8}(T\d{6}Z?)?$/
const known = ['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYDAY', 'WKST', ...Object.keys(numberParts)]

/**
 * Reads a rule strictly: what libraries pass over in silence, such as a thirteenth month, would send something at times
 * that nobody meant.
 */
export function readRule(sent: string): ReadRule {
  const parts = readParts(sent)
  const frequency = readFrequency(parts)
  const interval = readInteger(parts, 'INTERVAL', longestInterval[frequency])
  const read: string[] = [
    `FREQ=${frequency}`,
    ...(interval === undefined || interval === 1 ? [] : [`INTERVAL=${interval}`]),
  ]
  for (const [name, part] of Object.entries(numberParts)) {
    const values = parts.get(name)
    if (values !== undefined) read.push(`${name}=${readNumbers(name, values, part, frequency).join(',')}`)
  }
  if (parts.has('BYDAY')) read.push(`BYDAY=${readDays(parts, frequency).join(',')}`)
  if (parts.has('BYSETPOS') && !read.some((part) => /^BY(?!SETPOS)/.test(part))) {
    throw ruleFault('BYSETPOS chooses among what another part, such as BYDAY, gives: there is none')
  }
  const firstDay = parts.get('WKST')
  if (firstDay !== undefined && !new RegExp(`^(${days})$`).test(firstDay)) throw valueFault('WKST', firstDay)
  if (firstDay !== undefined) read.push(`WKST=${firstDay}`)
  return { rule: read.join(';'), ...readEnd(parts) }
}

function readParts(sent: string): Map<string, string> {
  const parts = new Map<string, string>()
  const text = sent
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/, '')
  for (const part of text.replace(/;$/, '').split(';')) {
    const [, name, value] = /^([A-Z]+)=([\w+,-]+)$/.exec(part) ?? []
    if (name === undefined || value === undefined) {
      throw ruleFault(`expected parts such as "FREQ=WEEKLY;BYDAY=MO,TH", got ${show(part)}`)
    }
    if (!known.includes(name)) throw ruleFault(`there is no part ${show(name)}; the parts are ${known.join(', ')}`)
    if (parts.has(name)) throw ruleFault(`${name} stands in it twice`)
    parts.set(name, value)
  }
  return parts
}

function readFrequency(parts: Map<string, string>): Frequency {
  const sent = parts.get('FREQ')
  if (sent === 'MINUTELY' || sent === 'SECONDLY') throw ruleFault(`${sent} is too often: it repeats hourly at most`)
  const frequency = frequencies.find((each) => each === sent)
  if (frequency) return frequency
  throw ruleFault(`expected FREQ to be one of ${frequencies.join(', ')}, got ${show(sent)}`)
}

function readInteger(parts: Map<string, string>, name: string, most: number): number | undefined {
  const sent = parts.get(name)
  if (sent === undefined) return undefined
  const value = /^\d{1,9}$/.test(sent) ? Number(sent) : 0
  if (value >= 1 && value <= most) return value
  throw ruleFault(`expected ${name} to be a whole number from 1 to ${most}, got ${show(sent)}`)
}

function readNumbers(name: string, sent: string, part: Part, frequency: Frequency): number[] {
  if (part.notWith?.includes(frequency)) throw ruleFault(`${name} does not go with FREQ=${frequency}`)
  const values = [...new Set(sent.split(',').map((value) => readNumber(name, value, part)))]
  if (part.isSingle && values.length > 1) throw ruleFault(`${name} takes one value: it repeats hourly at most`)
  return values
}

function readNumber(name: string, sent: string, { from, to, hasNegative }: Part): number {
  const value = /^[+-]?\d{1,3}$/.test(sent) ? Number(sent) : Number.NaN
  const size = hasNegative ? Math.abs(value) : value
  if (size >= from && size <= to) return value
  throw ruleFault(
    `expected values of ${name} from ${from} to ${to}${hasNegative ? ', or negative' : ''}, got ${show(sent)}`,
  )
}

/** Days of the week, in months and years also such as 1MO for the first Monday and -1FR for the last Friday. */
function readDays(parts: Map<string, string>, frequency: Frequency): string[] {
  const sent = (parts.get('BYDAY') as string).split(',')
  // The 53rd of a year is there in few years only, and libraries do not agree on the others.
  const most = frequency === 'YEARLY' && !parts.has('BYMONTH') ? 52 : 5
  return [...new Set(sent.map(readDay))]

  function readDay(value: string): string {
    const [, place, day] = new RegExp(`^([+-]?\\d{1,2})?(${days})$`).exec(value) ?? []
    if (day === undefined) throw valueFault('BYDAY', value)
    if (place === undefined) return day
    if ((frequency !== 'MONTHLY' && frequency !== 'YEARLY') || parts.has('BYWEEKNO')) {
      throw ruleFault(`${show(value)} in BYDAY goes with months and years only, and not with BYWEEKNO`)
    }
    const number = Number(place)
    if (number === 0 || Math.abs(number) > most) {
      throw ruleFault(`expected the place of a day in BYDAY to be 1 to ${most}, or negative, got ${show(value)}`)
    }
    return `${number}${day}`
  }
}

function readEnd(parts: Map<string, string>): Pick<ReadRule, 'count' | 'until'> {
  const count = readInteger(parts, 'COUNT', 100_000)
  const until = parts.get('UNTIL')
  if (count !== undefined && until !== undefined) throw ruleFault('COUNT and UNTIL do not go together')
  if (until !== undefined && !untilForm.test(until)) throw valueFault('UNTIL', until)
  return { count, until }
}

function valueFault(name: string, value: string): RequestError {
  return ruleFault(`${show(value)} is no value of ${name}`)
}

export function ruleFault(what: string): RequestError {
  return new RequestError('invalid-request', `"repeat.rule": ${what}.`, { details: { field: 'repeat.rule' } })
}
