import type { Condition, FittedRule } from '../condition.ts'
import type { StepCounts } from '../count/count-steps.ts'
import { countBits, intersectAndCount } from './columns/bitmap.ts'
import { findRows } from './find-rows.ts'
import { keyOf } from './key-of.ts'
import type { SegmentData } from './segment-data.ts'

/** What count-steps.ts counts, from the columns. */
export function countRows(data: SegmentData, conditions: readonly Condition<FittedRule>[]): StepCounts {
  const found = data.copyInstalled()
  const left = conditions.map((condition) => intersectAndCount(found, findRows(data, condition)))
  return {
    left: left.length === 0 ? [countBits(found)] : left,
    users: data.userRows.countUsers(found, keyOf(conditions)),
  }
}
