import type { Mutant } from './mutant.ts'

/** The text with the fault in it; undefined when the place is not there, or not only once. */
export function applyMutant(text: string, { find, replace }: Mutant): string | undefined {
  const at = text.indexOf(find)
  if (at < 0 || text.indexOf(find, at + 1) >= 0) return undefined
  return text.slice(0, at) + replace + text.slice(at + find.length)
}
