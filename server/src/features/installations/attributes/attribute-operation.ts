import { show } from '@peyk/contract'
import { limits } from '#base/config.ts'
import { RequestError } from '#base/errors.ts'
import { readDate, readTypedValue } from './value-kind.ts'

export type OwnerKind = 'user' | 'installation'

export type AttributeValue = string | number | boolean | string[]

export type AttributeOperation =
  | { kind: 'set'; name: string; value: AttributeValue }
  | { kind: 'unset'; name: string }
  | { kind: 'increment'; name: string; by: number }
  | { kind: 'addToArray' | 'removeFromArray'; name: string; values: string[] }

const maxOperations = 1_000
const maxItems = 1_000
const maxItemBytes = 1_000

/** [interface.md#48-set-attributes] Names and values; null removes [users-and-events.md#attributes]. */
export function readAttributes(attributes: Record<string, unknown>, field = 'attributes'): AttributeOperation[] {
  const names = Object.keys(attributes)
  checkOperationCount(names.length)
  return names.map((name) => readAssignment(name, attributes[name], `${field}.${name}`))
}

/** What the client library sends: values in `data`, and what else to do with a name in `__meta.keys`. */
export function readAttributeChanges(data: unknown, meta: unknown): AttributeOperation[] {
  const values = readObject(data, 'data')
  const keys = readObject(readObject(meta, '__meta').keys, '__meta.keys')
  const names = new Set([...Object.keys(values), ...Object.keys(keys)])
  checkOperationCount(names.size)
  return [...names].flatMap((name) =>
    readChange(name, own(values, name), readObject(own(keys, name), `__meta.keys.${name}`)),
  )
}

export function readIncrements(
  increments: readonly { attribute: string; value?: number | undefined }[],
): AttributeOperation[] {
  checkOperationCount(increments.length)
  return increments.map(({ attribute, value }) => ({ kind: 'increment', name: checkName(attribute), by: value ?? 1 }))
}

function readChange(name: string, value: unknown, meta: Record<string, unknown>): AttributeOperation[] {
  const field = `data.${name}`
  switch (meta.operation) {
    case 'unset':
      return [{ kind: 'unset', name: checkName(name) }]
    case 'addToArray':
    case 'removeFromArray':
      return [
        {
          kind: meta.operation,
          name: checkName(name),
          values: readList(meta.value ?? value, `__meta.keys.${name}.value`),
        },
      ]
    case undefined:
    case null:
      if (value === undefined) return []
      return [readAssignment(name, meta.type === 'date' ? readClientDate(value, field) : value, field)]
    default:
      throw fault(
        `__meta.keys.${name}.operation`,
        `expected "unset", "addToArray" or "removeFromArray", got ${show(meta.operation)}`,
      )
  }
}

function readAssignment(name: string, value: unknown, field: string): AttributeOperation {
  checkName(name)
  if (value === null) return { kind: 'unset', name }
  const typed = readTypedValue(value)
  if (!typed)
    throw fault(field, `expected a text, a number, true or false, a date or an array of texts, got ${show(value)}`)
  if (typed.list) readList(typed.list, field)
  return { kind: 'set', name, value: value as AttributeValue }
}

/** Client libraries send dates as epoch milliseconds; everybody else, and the store, has them as texts. */
function readClientDate(value: unknown, field: string): unknown {
  if (value === null || (typeof value === 'string' && readDate(value) !== undefined)) return value
  const time = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  const date = new Date(typeof time === 'number' ? time : Number.NaN)
  if (Number.isNaN(date.getTime())) {
    throw fault(field, `expected a date in epoch milliseconds, got ${show(value)}`)
  }
  return date.toISOString()
}

function readList(value: unknown, field: string): string[] {
  if (!Array.isArray(value) || !value.every((item): item is string => typeof item === 'string')) {
    throw fault(field, `expected an array of texts, got ${show(value)}`)
  }
  if (value.length > maxItems) throw fault(field, `expected at most ${maxItems} texts, got ${value.length}`)
  if (value.some((item) => Buffer.byteLength(item) > maxItemBytes))
    throw fault(field, `expected texts of at most ${maxItemBytes} bytes`)
  return value
}

function checkName(name: string): string {
  if (name === '' || Buffer.byteLength(name) > limits.nameBytes) {
    throw fault(
      name.slice(0, 80),
      `expected the name of an attribute, 1 to ${limits.nameBytes} bytes, got ${show(name)}`,
    )
  }
  return name
}

function checkOperationCount(count: number): void {
  if (count > maxOperations)
    throw new RequestError(
      'too-large',
      `${count} attributes are too many: at most ${maxOperations} are taken in one call.`,
    )
}

/** Absent is empty, and some clients send an empty object as []. */
function readObject(value: unknown, field: string): Record<string, unknown> {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return {}
  if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>
  throw fault(field, `expected an object, got ${show(value)}`)
}

function own(record: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

function fault(field: string, message: string): RequestError {
  return new RequestError('invalid-request', `"${field}": ${message}.`, { details: { field } })
}
