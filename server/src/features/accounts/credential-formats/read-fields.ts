import type { unreadableCodes } from '@peyk/contract'
import { RequestError } from '#base/errors.ts'

type UnreadableCode = (typeof unreadableCodes)[number]

/** With a code, so that the panel can say it in its own languages. */
export function wrong(message: string, code: UnreadableCode, values: Record<string, string> = {}): RequestError {
  return new RequestError('invalid-request', message, { details: { finding: { code, values } } })
}

/** What was sent as an object, whether it came as JSON or as the text of a JSON file. */
export function readObject(sent: unknown, what: string): Record<string, unknown> {
  const value = typeof sent === 'string' ? parse(sent, what) : sent
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw wrong(`Expected ${what} as a JSON object, got ${nameOf(value)}.`, 'not-json')
  }
  return value as Record<string, unknown>
}

export function readText(from: Record<string, unknown>, field: string, hint: string): string {
  const value = from[field]
  if (typeof value === 'string' && value.trim() !== '') return value.trim()
  const isMissing = value === undefined || value === null
  const message = `${field} is ${isMissing ? 'missing' : 'not a text'}: expected ${hint}.`
  throw wrong(message, isMissing || value === '' ? 'field-missing' : 'field-form', { field })
}

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw wrong(`Expected ${what} as a JSON object, got a text that is not JSON.`, 'not-json')
  }
}

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`
}
