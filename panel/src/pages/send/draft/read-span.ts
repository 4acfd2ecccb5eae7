import { plainDigits } from '#texts/digits.ts'
import { type Span, secondsOf } from './span.ts'

/** Seconds; undefined where nothing is typed. */
export function readSpan({ amount, unit }: Span): number | undefined | 'notNumber' {
  const text = plainDigits(amount.trim())
  if (text === '') return undefined
  const number = Number(text)
  return Number.isFinite(number) && number >= 0 ? number * secondsOf[unit] : 'notNumber'
}
