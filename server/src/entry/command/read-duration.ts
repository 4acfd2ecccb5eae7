import { UsageError } from './command.ts'

const units: Record<string, number> = { m: 60, h: 3_600, d: 86_400, w: 7 * 86_400 }

/** "7d" in seconds. */
export function readDuration(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,4})([mhdw])$/.exec(text) ?? []
  const seconds = units[unit ?? '']
  if (count === undefined || seconds === undefined)
    throw new UsageError(`Expected a span such as 30m, 12h, 7d or 4w, got "${text}".`)
  return Number(count) * seconds
}
