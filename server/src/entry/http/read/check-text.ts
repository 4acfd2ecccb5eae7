import { limits } from '#base/config.ts'
import { RequestError } from '#base/errors.ts'

// Without an escape, a huge number, a key that touches prototypes or many brackets, nothing below can be wrong.
// A number becomes infinite with an exponent of three digits, or of two if 200 digits precede it. The lookbehind
// matches a run of digits only from its first digit.
const suspicious = /\\u|\d[eE]\+?\d{3}|(?<!\d)\d{200}|"__proto__"/

/**
 * Refuses what the store cannot keep as it came: U+0000, lone surrogates, infinite numbers, deep nesting
 * [requests.md#bodies].
 */
export function checkText(json: string, value: unknown): void {
  if (!suspicious.test(json) && openings(json) <= limits.jsonDepth) return
  const fault = findFault(value, 1)
  if (fault) throw describe(fault)
}

function openings(json: string): number {
  let count = 0
  for (let index = 0; index < json.length && count <= limits.jsonDepth; index++) {
    const code = json.charCodeAt(index)
    if (code === 123 || code === 91) count++
  }
  return count
}

interface Fault {
  kind: 'nul' | 'surrogate' | 'number' | 'depth' | 'proto'
  /** Keys and indexes, innermost first. Collected on the way back, and only for a fault. */
  path: (string | number)[]
}

function findFault(value: unknown, depth: number): Fault | undefined {
  if (typeof value === 'string') return faultOfText(value)
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : { kind: 'number', path: [] }
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > limits.jsonDepth) return { kind: 'depth', path: [] }
  return Array.isArray(value) ? faultInList(value, depth) : faultInObject(value as Record<string, unknown>, depth)
}

function faultInList(list: readonly unknown[], depth: number): Fault | undefined {
  for (let index = 0; index < list.length; index++) {
    const fault = findFault(list[index], depth + 1)
    if (fault) return at(index, fault)
  }
  return undefined
}

function faultInObject(object: Record<string, unknown>, depth: number): Fault | undefined {
  for (const key in object) {
    const fault = key === '__proto__' ? ({ kind: 'proto', path: [] } satisfies Fault) : faultOfText(key)
    if (fault) return fault
    const inner = findFault(object[key], depth + 1)
    if (inner) return at(key, inner)
  }
  return undefined
}

function faultOfText(text: string): Fault | undefined {
  if (text.includes('\0')) return { kind: 'nul', path: [] }
  return text.isWellFormed() ? undefined : { kind: 'surrogate', path: [] }
}

function at(key: string | number, fault: Fault): Fault {
  fault.path.push(key)
  return fault
}

function describe({ kind, path }: Fault): RequestError {
  const field = path.reduceRight<string>(
    (before, part) =>
      before === '' ? `${part}` : typeof part === 'number' ? `${before}[${part}]` : `${before}.${part}`,
    '',
  )
  const details = { field }
  switch (kind) {
    case 'nul':
      return new RequestError('invalid-text', `"${field}" contains the character U+0000.`, { details })
    case 'surrogate':
      return new RequestError('invalid-text', `"${field}" contains a lone surrogate.`, { details })
    case 'number':
      return new RequestError('invalid-request', `"${field}" is a number too large to keep.`, { details })
    case 'depth':
      return new RequestError('invalid-json', `The body is nested deeper than ${limits.jsonDepth} levels.`)
    case 'proto':
      return new RequestError('invalid-request', `The key "__proto__" is not allowed${field && ` in "${field}"`}.`)
  }
}
