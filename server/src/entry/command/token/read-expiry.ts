import { UsageError } from '../command.ts'

const HOUR = 3_600_000
const units: Record<string, number> = { h: HOUR, d: 24 * HOUR, w: 7 * 24 * HOUR, y: 365 * 24 * HOUR }

/** "90d" from now, or the beginning of a day (UTC) such as 2027-06-30. */
export function readExpiry(text: string, now: Date): Date {
  const [, count, unit] = /^([1-9]\d{0,4})([hdwy])$/.exec(text) ?? []
  const length = units[unit ?? '']
  if (count !== undefined && length !== undefined) return new Date(Number(now) + Number(count) * length)
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined
  if (day && !Number.isNaN(Number(day)) && day.toISOString().startsWith(text)) return day
  throw new UsageError(`Expected --expires as 12h, 90d, 4w or 1y, or as a date such as 2027-06-30, got "${text}".`)
}
