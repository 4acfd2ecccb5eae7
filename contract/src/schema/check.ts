import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Errors } from 'typebox/value'
import { coerce } from './coerce.ts'
import { excessFinder } from './find-excess.ts'
import { withoutUnchecked } from './without-unchecked.ts'

export interface Fault {
  /** Where in the value, such as "notification.actions[1].id"; empty for the value itself. */
  field: string
  message: string
  /** A list or map has too many elements: responds 413 instead of 400. */
  isTooLarge?: boolean
}

export type Checked<S extends TSchema> = { value: Static<S>; fault?: undefined } | { fault: Fault }

/** Compiles a schema once. What fits as it came is not touched; the rest is coerced, then checked again. */
export function checker<S extends TSchema>(schema: S): (value: unknown) => Checked<S> {
  const compiled = Compile(schema)
  const findExcess = excessFinder(schema)
  const schemaOfErrors = withoutUnchecked(schema)
  return (value) => {
    const excess = findExcess(value, '')
    if (excess) return { fault: excess }
    if (compiled.Check(value)) return { value: value as Static<S> }
    const coerced = coerce(schema, value)
    // Lists sent as JSON in a string become lists only after coercion.
    const excessInText = findExcess(coerced, '')
    if (excessInText) return { fault: excessInText }
    if (compiled.Check(coerced)) return { value: coerced as Static<S> }
    return { fault: describe(schema, coerced, Errors(schemaOfErrors, coerced) as unknown as SchemaError[]) }
  }
}

interface SchemaError {
  keyword: string
  schemaPath: string
  instancePath: string
  params: Record<string, unknown>
  message: string
}

/** Says what was expected and what came, for the first thing that is wrong. */
function describe(schema: TSchema, value: unknown, errors: SchemaError[]): Fault {
  const error = errors.find((candidate) => candidate.keyword === 'anyOf') ?? errors[0]
  if (!error) return { field: '', message: 'The value is not valid.' }
  const path = pointerParts(error.instancePath)
  const field = fieldName(path)
  const at = field ? `"${field}": ` : ''
  if (error.keyword === 'required') {
    const missing = String((error.params.requiredProperties as string[])[0])
    return { field: fieldName([...path, missing]), message: `"${fieldName([...path, missing])}" is required.` }
  }
  const expected = expectation(resolve(schema, pointerParts(error.schemaPath.replace(/^#/, ''))), error)
  return {
    field,
    message: `${at}expected ${expected}, got ${show(resolve(value, path))}.`.replace(/^./, (c) =>
      at ? c : c.toUpperCase(),
    ),
  }
}

const articles: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
}

function expectation(schema: unknown, error: SchemaError): string {
  const node = (schema ?? {}) as { expected?: string; type?: string; anyOf?: { const?: unknown; type?: string }[] }
  if (node.expected) return node.expected
  if (error.keyword === 'type') return articles[String(error.params.type)] ?? String(error.params.type)
  if (node.anyOf?.every((option) => 'const' in option))
    return `one of ${node.anyOf.map((option) => show(option.const)).join(', ')}`
  if (node.anyOf)
    return [...new Set(node.anyOf.map((option) => articles[option.type ?? ''] ?? 'another value'))].join(' or ')
  const kind = articles[node.type ?? '']
  return kind ? `${kind} that ${error.message}` : `a value that ${error.message}`
}

export function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 80 ? `${text.slice(0, 77)}…` : text
}

function pointerParts(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function fieldName(parts: string[]): string {
  return parts.map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`)).join('')
}

function resolve(root: unknown, parts: string[]): unknown {
  let node = root
  for (const part of parts) node = (node as Record<string, unknown> | undefined)?.[part]
  return node
}
