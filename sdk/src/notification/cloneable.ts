import { isObject } from '../message.ts'

const deepest = 5

/** The value without what cannot be kept or passed on to other tabs, such as functions; undefined when nothing is left. */
export function cloneable(value: unknown, depth = 0): unknown {
  try {
    return structuredClone(value)
  } catch {
    if (depth === deepest) return undefined
  }
  if (Array.isArray(value)) return value.map((item) => cloneable(item, depth + 1)).filter((item) => item !== undefined)
  if (!isObject(value)) return undefined
  const fields = Object.entries(value).map(([name, field]) => [name, cloneable(field, depth + 1)] as const)
  return Object.fromEntries(fields.filter(([, field]) => field !== undefined))
}
