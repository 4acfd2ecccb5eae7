import { readDate, type ValueKind } from '../../installations/attributes/value-kind.ts'

/** The kind of a value of event data; undefined for what events may not hold. It runs for every value of every event. */
export function kindOfValue(value: unknown): ValueKind | undefined {
  switch (typeof value) {
    case 'string':
      return mayBeDate(value) && readDate(value) !== undefined ? 'date' : 'text'
    case 'number':
      return Number.isFinite(value) ? 'number' : undefined
    case 'boolean':
      return 'boolean'
    default:
      return Array.isArray(value) && value.every((item) => typeof item === 'string') ? 'list' : undefined
  }
}

/** `2026-11-15T…` or `Sun, 15 Nov …`. */
function mayBeDate(text: string): boolean {
  return text.length >= 17 && (text.charCodeAt(10) === 84 || text.charCodeAt(3) === 44)
}
