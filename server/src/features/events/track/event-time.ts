import { show } from '@peyk/contract'
import { RequestError } from '#base/errors.ts'

export interface EventTime {
  /** Epoch milliseconds. */
  at: number
  /** It came in seconds. */
  isSeconds: boolean
}

const DAY = 86_400_000
const year2000 = Date.UTC(2000, 0, 1)
const numeric = /^\s*\d+(?:\.\d+)?\s*$/
const isoDate = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/i
const rfcDate = /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} (?:GMT|UTC)$/

/** [users-and-events.md#events] Epoch milliseconds, as a number or a text, or an ISO date; ten digits are seconds. */
export function readEventTime(sent: unknown, now: number): EventTime | undefined {
  const number = typeof sent === 'number' ? sent : typeof sent === 'string' ? readText(sent) : Number.NaN
  const isSeconds = number >= 1e9 && number < 1e10
  const at = Math.trunc(isSeconds ? number * 1000 : number)
  return at >= year2000 && at <= now + DAY ? { at, isSeconds } : undefined
}

/** A date without a zone is in UTC. */
function readText(text: string): number {
  if (numeric.test(text)) return Number(text)
  const [matched, time, zone] = isoDate.exec(text) ?? []
  if (matched !== undefined) return Date.parse(time && !zone ? `${text}Z` : text)
  return rfcDate.test(text) ? Date.parse(text) : Number.NaN
}

export function eventTimeFault(sent: unknown): RequestError {
  const expected = 'epoch milliseconds or an ISO 8601 date, from the year 2000 to 24 hours ahead'
  return new RequestError('invalid-request', `"eventTime": expected ${expected}, got ${show(sent)}.`, {
    details: { field: 'eventTime' },
  })
}

export function secondsWarning(sent: unknown): string {
  return `"eventTime" ${show(sent)} was taken as seconds: expected epoch milliseconds.`
}
