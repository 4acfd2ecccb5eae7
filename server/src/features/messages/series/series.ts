import type { SeriesState, StoryLine } from '@peyk/contract'
import type { ScheduledMessage } from '../schedule/scheduled-message.ts'
import type { Course } from './course/course.ts'

type Said = 'appId' | 'id' | 'product' | 'sent' | 'userIds' | 'target' | 'count' | 'createdAt' | 'createdBy'

/** A message that repeats. */
export interface Series extends Pick<ScheduledMessage, Said> {
  course: Course
  state: SeriesState
  /** Occurrences so far, those ahead included. */
  made: number
  /** The moment of the last of them. */
  lastAt: Date | undefined
  /** The moment of the one after it; undefined when that was the last. */
  nextAt: Date | undefined
  counts: Record<StoryLine['what'], number>
  /** The oldest first. */
  story: StoryLine[]
  changedAt: Date
  endedAt: Date | undefined
  /** Hash of what was approved; undefined if it needed no approval. */
  approvedAs?: string | undefined
}

/** So many occurrences are scheduled messages already. */
export const occurrencesAhead = 5

const HOUR = 3_600_000
const aroundTheEarth = 26 * HOUR

/** An occurrence that is later than that was missed; with a local time, for the last users. */
export function latestStartMs(localTime: unknown): number {
  return localTime ? aroundTheEarth + HOUR : HOUR
}

const storyLines = 50

/** What became of occurrences, written down. */
export function withStory(series: Series, lines: readonly StoryLine[]): Series {
  const counts = { ...series.counts }
  for (const { what } of lines) counts[what]++
  return { ...series, counts, story: [...series.story, ...lines].slice(-storyLines) }
}
