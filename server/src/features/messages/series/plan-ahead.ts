import type { StoryLine } from '@peyk/contract'
import { occurrencesAfter } from './course/occurrences-after.ts'
import { latestStartMs, occurrencesAhead, type Series, withStory } from './series.ts'

/** The occurrences of a series that are scheduled messages. */
export interface Ahead {
  /** Those that are to go. */
  open: number
  /** The moments that the rule gave them, and those that were cancelled. */
  moments: readonly Date[]
}

export interface Plan {
  series: Series
  /** Occurrences to be made. */
  moments: Date[]
  /** Those that were missed, and were not after all. */
  revived: Date[]
}

/**
 *   last_at ──▶ the past: missed ──▶ the last hour and later: made, until five are ahead ──▶ next_at
 *
 * What happened by now and was not made is written down as missed, or as skipped by a pause, up to the last hour, which
 * may still go. A moment that was written down as missed and lies ahead again, because the clock was put back, was not
 * missed after all. When nothing is ahead any more, the series has ended.
 */
export function planAhead(
  series: Series,
  { open, moments: existing }: Ahead,
  { now, passed }: { now: Date; passed: 'missed' | 'skipped' },
): Plan {
  const early = series.story.filter(({ what, at }) => what === 'missed' && at > now.getTime())
  const story = series.story.filter((line) => !early.includes(line))
  const taken = new Set([...existing.map(Number), ...story.map(({ at }) => at)])
  const revived = early.map(({ at }) => new Date(at))
  const moments: Date[] = []
  const lines: StoryLine[] = []
  const goesFrom = passed === 'missed' ? now.getTime() - latestStartMs(series.course.localTime) : now.getTime()
  let { made } = series
  let lastAt = series.lastAt
  let nextAt: Date | undefined
  for (const at of occurrencesAfter(series.course, lastAt ?? new Date(series.course.startsAt.getTime() - 1))) {
    if (taken.has(at.getTime())) continue
    if (made >= (series.course.times ?? Number.POSITIVE_INFINITY)) break
    const hasPassed = at.getTime() <= goesFrom
    if (!hasPassed && open + revived.length + moments.length >= occurrencesAhead) {
      nextAt = at
      break
    }
    if (hasPassed) lines.push({ at: at.getTime(), what: passed, notedAt: now.getTime() })
    else moments.push(at)
    made++
    lastAt = at
  }
  const counts = { ...series.counts, missed: series.counts.missed - early.length }
  const noted = withStory({ ...series, counts, story, made, lastAt, nextAt }, lines)
  const isOver = nextAt === undefined && open + revived.length + moments.length === 0
  return { series: isOver ? { ...noted, state: 'ended', endedAt: now, changedAt: now } : noted, moments, revived }
}
