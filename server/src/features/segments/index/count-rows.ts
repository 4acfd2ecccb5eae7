import type { Condition, FittedRule } from '../condition.ts'
import type { StepCounts } from '../count/count-steps.ts'
import { type Bitmap, countBits, createBitmap, intersect } from './columns/bitmap.ts'
import { scanNumbers } from './columns/scan.ts'
import { findRows } from './find-rows.ts'
import type { SegmentData } from './segment-data.ts'

/** What count-steps.ts counts, from the columns. `atMs`: later installations are not meant [choice 28]. */
export function countRows(data: SegmentData, conditions: readonly Condition<FittedRule>[], atMs: number): StepCounts {
  const found = data.newestMs <= atMs ? data.copyInstalled() : findKnown(data, atMs)
  const left = conditions.map((condition) => countBits(intersect(found, findRows(data, condition))))
  return { left: left.length === 0 ? [countBits(found)] : left, users: countUsers(data, found) }
}

function findKnown(data: SegmentData, atMs: number): Bitmap {
  const known = [{ low: Number.NEGATIVE_INFINITY, high: atMs }]
  return intersect(data.copyInstalled(), scanNumbers(data.times.created_at, data.installationRows, known))
}

function countUsers({ userOf, userRows }: SegmentData, found: Bitmap): number {
  const users = createBitmap(userRows)
  for (let index = 0; index < found.length; index++) {
    for (let word = found[index] as number; word !== 0; word &= word - 1) {
      const user = userOf[index * 32 + (31 - Math.clz32(word & -word))] as number
      users[user >>> 5] = (users[user >>> 5] as number) | (1 << (user & 31))
    }
  }
  return countBits(users)
}
