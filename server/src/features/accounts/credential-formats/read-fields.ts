import { RequestError } from '../../../base/errors.ts'

export function wrong(message: string): RequestError {
  return new RequestError('invalid-request', message)
}

/** What was sent as an object, whether it came as JSON or as the text of a JSON file. */
export function readObject(sent: unknown, what: string): Record<string, unknown> {
  const value = typeof sent === 'string' ? parse(sent, what) : sent
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw wrong(`Expected ${what} as a JSON object, got ${nameOf(value)}.`)
  }
  return value as Record<string, unknown>
}

export function readText(from: Record<string, unknown>, field: string, hint: string): string {
  const value = from[field]
  if (typeof value === 'string' && value.trim() !== '') return value.trim()
  throw wrong(`${field} is ${value === undefined || value === null ? 'missing' : 'not a text'}: expected ${hint}.`)
}

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw wrong(`Expected ${what} as a JSON object, got a text that is not JSON.`)
  }
}

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`
}
