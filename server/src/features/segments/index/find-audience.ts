import type { Condition, FittedRule } from '../condition.ts'
import { type Bitmap, intersect } from './columns/bitmap.ts'
import { findRows } from './find-rows.ts'
import type { SegmentData } from './segment-data.ts'

/** Those for which all conditions hold. */
export function findAudience(data: SegmentData, conditions: readonly Condition<FittedRule>[]): Bitmap {
  return conditions.reduce((found, condition) => intersect(found, findRows(data, condition)), data.copyInstalled())
}
