import type { Condition, FittedRule } from '../condition.ts'
import { type Bitmap, intersect } from './columns/bitmap.ts'
import { findRows } from './find-rows.ts'
import type { SegmentData } from './segment-data.ts'

/** The installations that were there at a moment; later ones are not meant [choice 28]. */
export function findInstalled(data: SegmentData, atMs: number): Bitmap {
  const installed = data.copyInstalled()
  if (data.newestMs <= atMs) return installed
  const known = [{ low: Number.NEGATIVE_INFINITY, high: atMs }]
  return intersect(installed, data.times.created_at.find(data.rows, known))
}

/** Those for which all conditions hold. */
export function findAudience(data: SegmentData, conditions: readonly Condition<FittedRule>[], atMs: number): Bitmap {
  return conditions.reduce((found, condition) => intersect(found, findRows(data, condition)), findInstalled(data, atMs))
}
