import type { TSchema } from 'typebox'

interface JsonSchema {
  type?: string
  const?: unknown
  anyOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
}

/**
 * Turns what old clients and forms send into what the schema asks for [requests.md#bodies]: "30" into 30, "1" into
 * true, 42 into "42" where a text is expected, null into absent. Goes only where the schema names properties, so that
 * free-form objects such as `data` stay as they came. Changes objects and arrays in place.
 */
export function coerce(schema: TSchema, value: unknown): unknown {
  return convert(schema as JsonSchema, value)
}

function convert(schema: JsonSchema, value: unknown): unknown {
  if (schema.anyOf) return convertUnion(schema.anyOf, value)
  switch (schema.type) {
    case 'boolean':
      return toBoolean(value)
    case 'number':
    case 'integer':
      return toNumber(value)
    case 'string':
      return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
    case 'object':
      return convertObject(schema, fromJson(value, '{'))
    case 'array':
      return convertArray(schema, fromJson(value, '['))
    default:
      return value
  }
}

function convertUnion(options: JsonSchema[], value: unknown): unknown {
  const fitting = options.find((option) => fits(option, value))
  if (fitting) return convert(fitting, value)
  for (const option of options) {
    const converted = convert(option, value)
    if (fits(option, converted)) return converted
  }
  return value
}

function fits(schema: JsonSchema, value: unknown): boolean {
  if (schema.anyOf) return schema.anyOf.some((option) => fits(option, value))
  if ('const' in schema) return schema.const === value
  switch (schema.type) {
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'array':
      return Array.isArray(value)
    case 'null':
      return value === null
    case 'integer':
      return Number.isInteger(value)
    case undefined:
      return true
    default:
      return typeof value === schema.type
  }
}

function convertObject(schema: JsonSchema, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !schema.properties) return value
  const record = value as Record<string, unknown>
  for (const [name, property] of Object.entries(schema.properties)) {
    if (!Object.hasOwn(record, name)) continue
    if (record[name] === null && !schema.required?.includes(name)) delete record[name]
    else record[name] = convert(property, record[name])
  }
  return record
}

function convertArray(schema: JsonSchema, value: unknown): unknown {
  if (!Array.isArray(value) || !schema.items) return value
  for (let index = 0; index < value.length; index++) value[index] = convert(schema.items, value[index])
  return value
}

function toBoolean(value: unknown): unknown {
  if (value === 'true' || value === '1' || value === 1) return true
  if (value === 'false' || value === '0' || value === 0) return false
  return value
}

function toNumber(value: unknown): unknown {
  if (typeof value !== 'string' || value.trim() === '') return value
  const number = Number(value)
  return Number.isFinite(number) ? number : value
}

/** Forms have no objects but those in brackets; some clients send JSON as text instead. */
function fromJson(value: unknown, opening: '{' | '['): unknown {
  if (typeof value !== 'string' || !value.startsWith(opening)) return value
  try {
    const parsed: unknown = JSON.parse(value)
    return isStorable(parsed, 2) ? parsed : value
  } catch {
    return value
  }
}

const maxDepth = 32

/** JSON in a string was not covered by the check of the body, so the same rules apply here. */
function isStorable(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth > maxDepth) return false
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) if (!isStorable(value[index], depth + 1)) return false
    return true
  }
  for (const key in value) {
    if (key === '__proto__' || !isStorable(key, depth)) return false
    if (!isStorable((value as Record<string, unknown>)[key], depth + 1)) return false
  }
  return true
}
