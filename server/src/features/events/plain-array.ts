/**
 * An array parameter of numbers or UUIDs, already in PostgreSQL's notation. The driver would look for quotes in every
 * element, which takes longer than the rest of its work; these cannot have any.
 */
export function plainArray(items: readonly (number | string | boolean | null)[]): string {
  let text = '{'
  for (let index = 0; index < items.length; index++) {
    if (index > 0) text += ','
    text += items[index] ?? 'NULL'
  }
  return `${text}}`
}
