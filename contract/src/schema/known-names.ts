import type { TSchema } from 'typebox'

/** Names that a value may have. Compiled once per schema, so that a request only looks them up. */
export interface KnownNames {
  /** Allowed names, each with the names allowed inside it. */
  fields?: Map<string, KnownNames | undefined>
  /** Any name that matches `pattern` is allowed. */
  values?: { pattern: RegExp | undefined; inside: KnownNames | undefined }
  items?: KnownNames
}

export interface UnknownName {
  /** Path of the field, such as "notification.titel". */
  field: string
  name: string
  /** The object that contains the name. */
  holder: Record<string, unknown>
  /** Names that the object may have; undefined if only a pattern is given. */
  known: ReadonlyMap<string, unknown> | undefined
}

interface JsonSchema {
  type?: string
  anyOf?: JsonSchema[]
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, JsonSchema>
  patternProperties?: Record<string, JsonSchema>
  additionalProperties?: unknown
  items?: JsonSchema
}

const anyName = '^.*$'

/** Returns undefined if the schema accepts every name: open objects, and anything that is not an object. */
export function knownNames(schema: TSchema): KnownNames | undefined {
  return read(schema as JsonSchema)
}

function read(schema: JsonSchema): KnownNames | undefined {
  if (schema.anyOf) return readUnion(schema.anyOf)
  if (schema.type === 'array') {
    const items = schema.items && read(schema.items)
    return items && { items }
  }
  if (schema.type !== 'object' || schema.additionalProperties) return undefined
  if (schema.patternProperties) return readRecord(schema.patternProperties)
  const fields = Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, read(inner)] as const)
  return { fields: new Map(fields) }
}

function readRecord(patterns: Record<string, JsonSchema>): KnownNames | undefined {
  const [pattern, inner] = Object.entries(patterns)[0] as [string, JsonSchema]
  const inside = read(inner)
  if (pattern === anyName) return inside && { values: { pattern: undefined, inside } }
  return { values: { pattern: new RegExp(pattern), inside } }
}

function readUnion(options: readonly JsonSchema[]): KnownNames | undefined {
  if (options.some(takesAnything)) return undefined
  const objects = options.filter(({ type }) => type === 'object')
  const arrays = options.filter(({ type }) => type === 'array')
  if (objects.length > 1 || arrays.length > 1 || options.some(({ anyOf }) => anyOf)) {
    throw new Error('A union of several objects or arrays does not say which names are known.')
  }
  const found = { ...(objects[0] && read(objects[0])), ...(arrays[0] && read(arrays[0])) }
  return Object.keys(found).length > 0 ? found : undefined
}

function takesAnything(schema: JsonSchema): boolean {
  return !('type' in schema || 'anyOf' in schema || 'const' in schema || 'enum' in schema)
}

/** Returns every name in the value that its schema does not know, or undefined if there is none. */
export function findUnknownNames(known: KnownNames, value: unknown): UnknownName[] | undefined {
  return collect(known, value, undefined)
}

type Found = UnknownName[] | undefined

function collect(known: KnownNames, value: unknown, found: Found): Found {
  if (typeof value !== 'object' || value === null) return found
  if (Array.isArray(value)) return known.items ? collectItems(known.items, value, found) : found
  const { fields, values } = known
  if (!fields && !values) return found
  const holder = value as Record<string, unknown>
  let all = found
  for (const name of Object.keys(holder)) {
    const isKnown = fields ? fields.has(name) : (values?.pattern?.test(name) ?? true)
    if (!isKnown) {
      all ??= []
      all.push({ field: name, name, holder, known: fields })
      continue
    }
    const inside = fields ? fields.get(name) : values?.inside
    if (inside) all = collectInside(inside, holder[name], name, all)
  }
  return all
}

function collectItems(known: KnownNames, items: readonly unknown[], found: Found): Found {
  let all = found
  for (let index = 0; index < items.length; index++) all = collectInside(known, items[index], `[${index}]`, all)
  return all
}

/** Builds paths only for unknown names, because almost no request has any. */
function collectInside(known: KnownNames, value: unknown, step: string, found: Found): Found {
  const before = found?.length ?? 0
  const all = collect(known, value, found)
  for (let index = before; index < (all?.length ?? 0); index++) {
    const entry = (all as UnknownName[])[index] as UnknownName
    entry.field = entry.field.startsWith('[') ? step + entry.field : `${step}.${entry.field}`
  }
  return all
}
