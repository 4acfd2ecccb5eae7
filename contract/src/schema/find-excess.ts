import type { TSchema } from 'typebox'
import { isChecked } from './is-checked.ts'

interface JsonSchema {
  type?: string
  anyOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  patternProperties?: Record<string, JsonSchema>
  items?: JsonSchema
  maxItems?: number
  maxProperties?: number
  /** Plural noun for the error. Limits that have one respond 413, all others 400. */
  tooMany?: string
  expected?: string
}

export interface Excess {
  field: string
  message: string
  isTooLarge: boolean
}

type Find = (value: unknown, field: string) => Excess | undefined

/** Default maximum for lists and maps whose elements are checked. */
const usualMax = 10_000

/**
 * Finds the first list or map with more elements than its schema allows. Runs before anything visits the elements, so
 * that an oversized value costs no more than parsing its JSON.
 */
export function excessFinder(schema: TSchema): Find {
  return finderOf(schema as JsonSchema) ?? (() => undefined)
}

function finderOf(schema: JsonSchema): Find | undefined {
  const { anyOf, expected } = schema
  if (anyOf) return firstOf(anyOf.map((option) => finderOf(expected === undefined ? option : { ...option, expected })))
  if (schema.items) return listFinder(schema, finderOf(schema.items))
  const { patternProperties = {}, maxProperties, properties = {} } = schema
  const ofValues = Object.values(patternProperties).map(finderOf)
  const isCounted = Object.values(patternProperties).some(isChecked) || maxProperties !== undefined
  return firstOf([isCounted ? mapFinder(schema, firstOf(ofValues)) : undefined, propertyFinder(properties)])
}

function firstOf(finders: (Find | undefined)[]): Find | undefined {
  const present = finders.filter((find) => find !== undefined)
  if (present.length < 2) return present[0]
  return (value, field) => {
    for (const find of present) {
      const excess = find(value, field)
      if (excess) return excess
    }
    return undefined
  }
}

function listFinder(schema: JsonSchema, findInItem: Find | undefined): Find {
  // If a list must be empty, the error of an element is clearer than one about the count.
  const max =
    schema.maxItems || (schema.maxItems === 0 || isChecked(schema.items) ? usualMax : Number.POSITIVE_INFINITY)
  return (value, field) => {
    if (!Array.isArray(value)) return undefined
    if (value.length > max) return excessOf(schema, { field, count: value.length, max })
    if (!findInItem) return undefined
    for (const [index, item] of value.entries()) {
      const excess = findInItem(item, `${field}[${index}]`)
      if (excess) return excess
    }
    return undefined
  }
}

function mapFinder(schema: JsonSchema, findInValue: Find | undefined): Find {
  const max = schema.maxProperties ?? usualMax
  return (value, field) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const names = Object.keys(value)
    if (names.length > max) return excessOf(schema, { field, count: names.length, max })
    if (!findInValue) return undefined
    for (const name of names) {
      const excess = findInValue((value as Record<string, unknown>)[name], field ? `${field}.${name}` : name)
      if (excess) return excess
    }
    return undefined
  }
}

function propertyFinder(properties: Record<string, JsonSchema>): Find | undefined {
  const finders = Object.entries(properties).flatMap(([name, property]) => {
    const find = finderOf(property)
    return find ? [{ name, find }] : []
  })
  if (finders.length === 0) return undefined
  return (value, field) => {
    if (typeof value !== 'object' || value === null) return undefined
    for (const { name, find } of finders) {
      if (!Object.hasOwn(value, name)) continue
      const excess = find((value as Record<string, unknown>)[name], field ? `${field}.${name}` : name)
      if (excess) return excess
    }
    return undefined
  }
}

function excessOf(schema: JsonSchema, { field, count, max }: { field: string; count: number; max: number }): Excess {
  const hasOwnMax = schema.maxItems !== undefined || schema.maxProperties !== undefined
  const isTooLarge = schema.tooMany !== undefined || !hasOwnMax
  const name = field ? `"${field}"` : 'The body'
  if (!isTooLarge && schema.expected) {
    return { field, message: `${name}: expected ${schema.expected}, got ${count} elements.`, isTooLarge }
  }
  return {
    field,
    message: `${name} has ${count} ${schema.tooMany ?? 'elements'}; at most ${max} are allowed.`,
    isTooLarge,
  }
}
