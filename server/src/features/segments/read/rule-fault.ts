import { type ErrorCode, RequestError } from '#base/errors.ts'
import type { Place } from '../condition.ts'

/** Says which rule is wrong: `Rule 3 of "all": Expected a number, got "many".` */
export function ruleFault(
  place: Place,
  message: string,
  code: ErrorCode = 'invalid-segment',
  more: Record<string, unknown> = {},
): RequestError {
  const text = place.text === '' ? message : `${place.text}: ${message}`
  return new RequestError(code, text, { details: { field: place.path, ...more } })
}
