import type { Condition, FittedRule } from '../condition.ts'
import { findAudience } from './find-audience.ts'
import type { SegmentData } from './segment-data.ts'

/** So many are told: enough for a page of the panel, where a user may have several installations. */
export const mostRecent = 100

/** The installations of an audience that were there last, by their numbers; the last one first. */
export function recentRows(data: SegmentData, conditions: readonly Condition<FittedRule>[]): number[] {
  const found = findAudience(data, conditions)
  const { numbers: visits } = data.times.launched_at
  const last: { row: number; visit: number }[] = []
  let least = Number.NEGATIVE_INFINITY
  for (let word = 0; word < found.length; word++) {
    for (let left = found[word] as number; left !== 0; left &= left - 1) {
      const row = word * 32 + 31 - Math.clz32(left & -left)
      const visit = visits[row] as number
      if (visit <= least) continue
      last.push({ row, visit })
      if (last.length >= mostRecent * 2) least = keepRecent(last)
    }
  }
  keepRecent(last)
  return last.map(({ row }) => data.installationAt(row))
}

/** Answers the visit that a further one has to be later than. */
function keepRecent(last: { visit: number }[]): number {
  last.sort((a, b) => b.visit - a.visit)
  last.length = Math.min(last.length, mostRecent)
  return last.length < mostRecent ? Number.NEGATIVE_INFINITY : (last.at(-1)?.visit as number)
}
