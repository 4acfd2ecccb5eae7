import { show } from '@peyk/contract'
import { RequestError } from '#base/errors.ts'
import { isTimeZone } from '#base/time-zone.ts'

const hour = 3_600

/** A zone for each offset that is not in whole hours: one of the offsets it has during the year. */
const zones = new Map([
  [-9.5 * hour, 'Pacific/Marquesas'],
  [-3.5 * hour, 'America/St_Johns'],
  [-2.5 * hour, 'America/St_Johns'],
  [3.5 * hour, 'Asia/Tehran'],
  [4.5 * hour, 'Asia/Kabul'],
  [5.5 * hour, 'Asia/Kolkata'],
  [5.75 * hour, 'Asia/Kathmandu'],
  [6.5 * hour, 'Asia/Yangon'],
  [8.75 * hour, 'Australia/Eucla'],
  [9.5 * hour, 'Australia/Darwin'],
  [10.5 * hour, 'Australia/Adelaide'],
  [12.75 * hour, 'Pacific/Chatham'],
  [13.75 * hour, 'Pacific/Chatham'],
])

/** Reads a zone from its name, or from its UTC offset in seconds. Those that no clock uses count as unknown. */
export function readTimeZone({ timeZone, utcOffset }: { timeZone?: unknown; utcOffset?: unknown }): string | undefined {
  const name = textOf(timeZone)
  const isOffset = name !== undefined && isNumber(name)
  if (name !== undefined && !isOffset && isTimeZone(name)) return name
  const offset = isOffset ? name : textOf(utcOffset)
  if (offset === undefined) return undefined
  if (!isNumber(offset))
    throw new RequestError('invalid-request', `"utcOffset": expected seconds east of UTC, got ${show(utcOffset)}.`)
  return zoneOfOffset(Number(offset))
}

function zoneOfOffset(seconds: number): string | undefined {
  const hours = seconds / hour
  if (!Number.isInteger(hours)) return zones.get(seconds)
  if (hours < -12 || hours > 14) return undefined
  if (hours === 0) return 'Etc/UTC'
  // The sign in these names is inverted.
  return `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
}

function isNumber(text: string): boolean {
  return /^[+-]?\d+(\.\d+)?$/.test(text)
}

function textOf(sent: unknown): string | undefined {
  return sent === undefined || sent === null || sent === '' ? undefined : String(sent).trim()
}
