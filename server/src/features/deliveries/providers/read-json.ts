/** What a provider answered, if it is a JSON object at all. */
export function readJsonObject(body: string): Record<string, unknown> | undefined {
  if (!/^\s*{/.test(body)) return undefined
  try {
    return asObject(JSON.parse(body))
  } catch {
    return undefined
  }
}

export function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

const shownLength = 200

/** A text from outside, fit to be kept and shown: one line, no control characters, not long. */
export function shorten(text: unknown): string {
  if (typeof text !== 'string') return ''
  const line = text
    .slice(0, shownLength * 4)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
  // A character of two halves may be cut in its middle; PostgreSQL takes no half in JSON.
  return line.length > shownLength ? `${line.slice(0, shownLength - 1).toWellFormed()}…` : line
}
