import type { Course } from '../../messages/series/course/course.ts'
import { occurrencesAfter } from '../../messages/series/course/occurrences-after.ts'

export interface GoingSeries {
  course: Course
  /** Occurrences so far, those that are scheduled messages included. */
  made: number
  lastAt: Date | undefined
  /** Moments of the rule for which there are scheduled messages, or were until they were cancelled. */
  taken: ReadonlySet<number>
}

/** The moments of a series after those that are scheduled messages, and whether it was enough to look at so many. */
export function furtherMoments(
  { course, made, lastAt, taken }: GoingSeries,
  { from, to, most }: { from: Date; to: Date; most: number },
): { moments: Date[]; looked: number; isMore: boolean } {
  const last = lastAt ?? new Date(course.startsAt.getTime() - 1)
  // Those before need to be counted only where it ends after some.
  const after = course.times === undefined && from > last ? new Date(from.getTime() - 1) : last
  let left = (course.times ?? Number.POSITIVE_INFINITY) - made
  let looked = 0
  const moments: Date[] = []
  for (const at of occurrencesAfter(course, after, to)) {
    if (looked === most) return { moments, looked, isMore: true }
    looked++
    if (taken.has(at.getTime())) continue
    if (left-- <= 0) break
    if (at >= from) moments.push(at)
  }
  return { moments, looked, isMore: false }
}
