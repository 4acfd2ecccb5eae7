import { limits } from '../../../base/config.ts'
import { RequestError } from '../../../base/errors.ts'

// Without an escape, a huge number, a key that touches prototypes or many brackets, nothing below can be wrong.
const suspicious = /\\u|\d[eE]\+?\d{3}|\d{300}|"(?:__proto__|constructor|prototype)"/

/** Refuses what the store cannot keep as it came: U+0000, lone surrogates, infinite numbers, deep nesting [choice 8]. */
export function checkText(json: string, value: unknown): void {
  if (suspicious.test(json) || openings(json) > limits.jsonDepth) walk(value, '', 1)
}

function openings(json: string): number {
  let count = 0
  for (let index = 0; index < json.length && count <= limits.jsonDepth; index++) {
    const code = json.charCodeAt(index)
    if (code === 123 || code === 91) count++
  }
  return count
}

function walk(value: unknown, field: string, depth: number): void {
  if (typeof value === 'string') checkString(value, field)
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new RequestError('invalid-request', `"${field}" is a number too large to keep.`, { details: { field } })
  }
  if (typeof value !== 'object' || value === null) return
  if (depth > limits.jsonDepth)
    throw new RequestError('invalid-json', `The body is nested deeper than ${limits.jsonDepth} levels.`)
  for (const [key, item] of Object.entries(value)) {
    checkString(key, field)
    if (key === '__proto__')
      throw new RequestError('invalid-request', `The key "__proto__" is not allowed${field && ` in "${field}"`}.`)
    walk(item, field ? (Array.isArray(value) ? `${field}[${key}]` : `${field}.${key}`) : key, depth + 1)
  }
}

function checkString(text: string, field: string): void {
  if (text.includes('\0'))
    throw new RequestError('invalid-text', `"${field}" contains the character U+0000.`, { details: { field } })
  if (!text.isWellFormed())
    throw new RequestError('invalid-text', `"${field}" contains a lone surrogate.`, { details: { field } })
}
