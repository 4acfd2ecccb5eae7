import type { Bound } from './condition.ts'

/** Milliseconds and counts are whole: each bound becomes the nearest whole one, each range half open. */
export function wholeFrom({ value, isInclusive }: Bound): number {
  return isInclusive ? Math.ceil(Number(value)) : Math.floor(Number(value)) + 1
}

export function wholeTo({ value, isInclusive }: Bound): number {
  return isInclusive ? Math.floor(Number(value)) + 1 : Math.ceil(Number(value))
}
