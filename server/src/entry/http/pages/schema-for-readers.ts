import type { TSchema } from 'typebox'

type Node = Record<string, unknown>

/**
 * A schema in the words of OpenAPI. `expected`, which is our own, becomes the description where there is none. A choice
 * that anything fits is there for the sake of better error messages; readers are shown the others.
 */
export function schemaForReaders(schema: TSchema): Node {
  return read(schema) as Node
}

function read(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(read)
  if (typeof value !== 'object' || value === null) return value
  const { expected, tooMany: _, examples, properties, ...rest } = value as Node
  const node: Node = Object.fromEntries(Object.entries(rest).map(([name, part]) => [name, read(part)]))
  // Names of fields and examples are not ours to change.
  if (typeof properties === 'object' && properties !== null)
    node.properties = Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, read(part)]))
  if (examples !== undefined) node.examples = examples
  if (typeof expected === 'string') node.description ??= `${expected[0]?.toUpperCase()}${expected.slice(1)}.`
  return withoutAnything(node)
}

function withoutAnything(node: Node): Node {
  if (!Array.isArray(node.anyOf)) return node
  const { anyOf, ...rest } = node
  const named = (anyOf as Node[]).filter((option) => Object.keys(option).length > 0)
  return named.length === 1 ? { ...named[0], ...rest } : { ...rest, anyOf: named }
}
