import { ControlError } from './control-error.ts'
import { describe, type JsonObject } from './read-json.ts'

export function oneOf<T extends string>(body: JsonObject, field: string, known: readonly T[]): T {
  const found = known.find((word) => word === body[field])
  if (found !== undefined) return found
  throw new ControlError(400, `${field}: expected one of ${known.join(', ')}, got ${describe(body[field])}.`)
}

export function text(body: JsonObject, field: string, { maxLength = 255 } = {}): string {
  const value = body[field]
  if (typeof value === 'string' && value !== '' && value.length <= maxLength) return value
  throw new ControlError(400, `${field}: expected a text of 1 to ${maxLength} characters, got ${describe(value)}.`)
}

export function optionalText(body: JsonObject, field: string): string | undefined {
  return body[field] === undefined || body[field] === null ? undefined : text(body, field)
}

export function wholeNumber(body: JsonObject, field: string, min: number, max: number): number {
  const value = body[field]
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value
  throw new ControlError(400, `${field}: expected a whole number from ${min} to ${max}, got ${describe(value)}.`)
}

export function numberUpTo(body: JsonObject, field: string, max: number): number {
  const value = body[field]
  if (typeof value === 'number' && value >= 0 && value <= max) return value
  throw new ControlError(400, `${field}: expected a number from 0 to ${max}, got ${describe(value)}.`)
}

export function httpUrl(body: JsonObject, field: string): string {
  const value = text(body, field, { maxLength: 2_000 })
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return value.replace(/\/+$/, '')
  throw new ControlError(400, `${field}: expected a URL such as http://localhost:8090, got ${describe(value)}.`)
}

export function mqttUrl(body: JsonObject, field: string): string {
  const value = text(body, field, { maxLength: 2_000 })
  if (/^mqtts?:\/\/[^/]/.test(value) && URL.canParse(value)) return value
  throw new ControlError(400, `${field}: expected a URL such as mqtt://localhost:1884, got ${describe(value)}.`)
}

/** A user id as the service takes it: [requests.md#user-ids]. */
export function userId(body: JsonObject): string {
  const value = body.userId
  if (typeof value === 'string' && /^[^\s/\\+*#\0]{1,64}$/.test(value)) return value
  throw new ControlError(
    400,
    `userId: expected 1 to 64 characters without white space and without / \\ + * #, got ${describe(value)}.`,
  )
}
