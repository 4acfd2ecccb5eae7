import type { StreamType } from '@peyk/contract'
import type { FoundLine } from './found-line.ts'
import { orderOf } from './place.ts'

export interface TypedLine extends FoundLine {
  type: StreamType
}

/** What was found of one type in a range. */
export interface Page {
  type: StreamType
  lines: readonly FoundLine[]
  /** There is more of it. */
  hasMore: boolean
}

/** All in one order, as far as nothing can be missing: of a type that has more, what comes after its last line is not known. */
export function mergeLines(pages: readonly Page[]): { lines: TypedLine[]; isAll: boolean } {
  const ends = pages.flatMap(({ type, lines, hasMore }) => {
    const last = lines.at(-1)
    return hasMore && last ? [{ ...last, type }] : []
  })
  const merged = pages
    .flatMap(({ type, lines }) => lines.map((line): TypedLine => ({ ...line, type })))
    // Stable: lines of one type stay in the order they were read in.
    .sort(compare)
  const end = ends.sort(compare)[0]
  return end
    ? { lines: merged.filter((line) => compare(line, end) <= 0), isAll: false }
    : { lines: merged, isAll: true }
}

/** Lines of one type and time are as far as each other. */
function compare(a: TypedLine, b: TypedLine): number {
  return a.us - b.us || orderOf(a.type) - orderOf(b.type)
}
