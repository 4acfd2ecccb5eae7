import { type Cap, capWindowMs } from '@peyk/contract'
import { countsFor } from '../../deliveries/hand-over/cap.ts'
import { dayOf } from './calendar-days.ts'

/** A message to a group that counts against caps. */
export interface Use {
  at: Date
  category: string
  /** It has not been sent. */
  isPlanned: boolean
}

export interface Crowd {
  day: Date
  count: number
  cap: Cap
}

/** For each day and cap, the most messages in a window that ends with a planned one of that day, where that is over the cap. */
export function findCrowded(uses: readonly Use[], caps: readonly Cap[], days: readonly Date[]): Crowd[] {
  const found = new Map<string, Crowd>()
  for (const [index, cap] of caps.entries()) {
    const windowMs = capWindowMs(cap)
    const counted = uses
      .filter(({ category }) => countsFor(cap, category))
      .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    let first = 0
    for (const [last, { at, isPlanned }] of counted.entries()) {
      while (Number(counted[first]?.at) <= at.getTime() - windowMs) first++
      const count = last - first + 1
      const day = isPlanned && count > cap.count ? dayOf(days, at) : undefined
      if (!day) continue
      const key = `${index} ${day.getTime()}`
      if (count > (found.get(key)?.count ?? 0)) found.set(key, { day, count, cap })
    }
  }
  return [...found.values()].toSorted((a, b) => a.day.getTime() - b.day.getTime())
}

const closeMs = 3_600_000

/** Those of some moments that have another within an hour of them. */
export function findClose(moments: readonly Date[]): Set<number> {
  const times = moments.map(Number).toSorted((a, b) => a - b)
  return new Set(
    times.filter((time, index) => {
      const before = times[index - 1] ?? Number.NEGATIVE_INFINITY
      const after = times[index + 1] ?? Number.POSITIVE_INFINITY
      return time - before < closeMs || after - time < closeMs
    }),
  )
}
