import type { TSchema } from 'typebox'
import { isChecked } from './is-checked.ts'

/**
 * Removes element rules that accept every value. Listing errors would still visit each element, which takes a second
 * for the half million that fit into a body.
 */
export function withoutUnchecked(schema: TSchema): TSchema {
  return copy(schema) as TSchema
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  // Refinements are non-enumerable properties.
  const parts = Object.getOwnPropertyNames(value).map(
    (name) => [name, (value as Record<string, unknown>)[name]] as const,
  )
  const kept = parts.filter(([name, part]) => !isUnchecked(name, part))
  return Object.fromEntries(kept.map(([name, part]) => [name, name === '~refine' ? part : copy(part)]))
}

function isUnchecked(name: string, part: unknown): boolean {
  if (name === 'items') return !isChecked(part as object)
  return name === 'patternProperties' && !Object.values(part as object).some(isChecked)
}
