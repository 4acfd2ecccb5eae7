import type { Condition, FittedRule } from '../condition.ts'
import type { StepCounts } from '../count/count-steps.ts'
import { type Bitmap, countBits, createBitmap, intersect } from './columns/bitmap.ts'
import { findInstalled } from './find-audience.ts'
import { findRows } from './find-rows.ts'
import type { SegmentData } from './segment-data.ts'

/** What count-steps.ts counts, from the columns. */
export function countRows(data: SegmentData, conditions: readonly Condition<FittedRule>[], atMs: number): StepCounts {
  const found = findInstalled(data, atMs)
  const left = conditions.map((condition) => countBits(intersect(found, findRows(data, condition))))
  return { left: left.length === 0 ? [countBits(found)] : left, users: countUsers(data, found) }
}

/** A user is counted at its own row, where the first of its installations usually is. */
function countUsers({ userOf, apart, rows }: SegmentData, found: Bitmap): number {
  const users = createBitmap(rows)
  for (let word = 0; word < found.length; word++) {
    users[word] = (users[word] as number) | ((found[word] as number) & ~apart.at(word))
    for (let left = (found[word] as number) & apart.at(word); left !== 0; left &= left - 1) {
      const user = userOf[word * 32 + 31 - Math.clz32(left & -left)] as number
      users[user >>> 5] = (users[user >>> 5] as number) | (1 << (user & 31))
    }
  }
  return countBits(users)
}
