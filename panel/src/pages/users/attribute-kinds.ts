export const attributeKinds = ['text', 'number', 'boolean', 'date', 'list'] as const
export type AttributeKind = (typeof attributeKinds)[number]

/** A value as it is typed: texts for texts, numbers and dates, a list for lists. */
export type Typed = string | string[]

export function showTyped(kind: AttributeKind, value: unknown): Typed {
  if (kind === 'list') return Array.isArray(value) ? value.map(String) : []
  return value === undefined || value === null ? '' : String(value)
}

/** The value to send; undefined when what was typed is none of the kind. */
export function readTyped(kind: AttributeKind, typed: Typed): unknown {
  if (Array.isArray(typed)) return kind === 'list' && typed.length > 0 ? typed : undefined
  if (typed === '') return undefined
  if (kind === 'number') return Number.isFinite(Number(typed)) ? Number(typed) : undefined
  if (kind === 'boolean') return typed === 'true'
  if (kind === 'date') {
    const time = Date.parse(typed)
    return Number.isNaN(time) ? undefined : new Date(time).toISOString()
  }
  return typed
}
