/**
 * An array parameter of numbers or UUIDs, already in PostgreSQL's notation. The driver would look for quotes in every
 * element, which takes longer than the rest of its work; these cannot have any.
 */
export function plainArray(items: readonly (number | string | boolean | null)[]): string {
  return `{${(items.includes(null) ? items.map((item) => item ?? 'NULL') : items).join(',')}}`
}

/** The same for words of any kind, of which many are alike: each is quoted only where it is another than the one before. */
export function quotedArray(items: readonly (string | null)[]): string {
  let text = '{'
  let last: string | null = null
  let quoted = 'NULL'
  for (let index = 0; index < items.length; index++) {
    const item = items[index] ?? null
    if (item !== last) {
      quoted = item === null ? 'NULL' : `"${item.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
      last = item
    }
    if (index > 0) text += ','
    text += quoted
  }
  return `${text}}`
}
