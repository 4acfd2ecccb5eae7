export type ValueKind = 'number' | 'text' | 'boolean' | 'date' | 'list'

/** A value of an attribute or of event data, as the store's typed columns have it. */
export interface TypedValue {
  kind: ValueKind
  /** Numbers as they are, booleans as 1 and 0, dates as epoch milliseconds. */
  number: number | undefined
  text: string | undefined
  list: string[] | undefined
}

const isoDate = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/
const rfcDate =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} (?:GMT|UTC)$/

/**
 * [users-and-events.md#attributes] Undefined for what neither events nor attributes may hold: objects, mixed lists,
 * null.
 */
export function readTypedValue(value: unknown): TypedValue | undefined {
  const typed: TypedValue = { kind: 'text', number: undefined, text: undefined, list: undefined }
  if (typeof value === 'string') {
    const time = readDate(value)
    return time === undefined ? { ...typed, text: value } : { ...typed, kind: 'date', number: time }
  }
  if (typeof value === 'number') return Number.isFinite(value) ? { ...typed, kind: 'number', number: value } : undefined
  if (typeof value === 'boolean') return { ...typed, kind: 'boolean', number: value ? 1 : 0 }
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return { ...typed, kind: 'list', list: value }
  return undefined
}

/** A full ISO 8601 or RFC 1123 date as epoch milliseconds; undefined for any other text. */
export function readDate(text: string): number | undefined {
  if (!isoDate.test(text) && !rfcDate.test(text)) return undefined
  const time = Date.parse(text)
  return Number.isNaN(time) || !isRealDay(text) ? undefined : time
}

/** Date.parse takes 30 February for 1 March. */
function isRealDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(text) ?? []
  if (day === undefined) return true
  return new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day)
}
