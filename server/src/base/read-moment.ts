import { show } from '@peyk/contract'
import { RequestError } from './errors.ts'

const latest = Date.UTC(9999, 0, 1)

/** Epoch milliseconds, as a number or a text, or an ISO date. Ten digits are seconds, as some clients send them. */
export function readMoment(field: string, sent: number | string | undefined): Date | undefined {
  if (sent === undefined || sent === '') return undefined
  const number = Number(sent)
  const ms = Number.isNaN(number) ? parseDate(String(sent)) : Math.abs(number) < 1e11 ? number * 1000 : number
  return toDate(field, sent, ms)
}

/** The same where seconds are not guessed: a report may begin in 1970. */
export function readReportMoment(field: string, sent: string): Date {
  const number = sent.trim() === '' ? Number.NaN : Number(sent)
  return toDate(field, sent, Number.isNaN(number) ? parseDate(sent) : number)
}

/** NaN also for 31 February, which JavaScript would take for 3 March. */
function parseDate(sent: string): number {
  const [written, day] = /^\d{4}-\d\d-(\d\d)/.exec(sent) ?? []
  if (written !== undefined && new Date(`${written}T00:00Z`).getUTCDate() !== Number(day)) return Number.NaN
  return Date.parse(sent)
}

/** Within what JavaScript and PostgreSQL both can hold. */
function toDate(field: string, sent: unknown, ms: number): Date {
  if (Number.isNaN(ms)) {
    const message = `"${field}": expected epoch milliseconds or an ISO 8601 date, got ${show(sent)}.`
    throw new RequestError('invalid-request', message, { details: { field } })
  }
  return new Date(Math.min(Math.max(ms, 0), latest))
}
