import type { ScheduledMessage } from '../schedule/scheduled-message.ts'
import { latestStartMs } from './series.ts'

/**
 * Of the occurrences of a series that are due, those that go. One that is an hour late was missed; when several are due,
 * the last one goes, and those that were changed by themselves, which somebody wanted at that time.
 */
export function decideLate<Due extends Pick<ScheduledMessage, 'dueAt' | 'occurrence'> & { localTime?: unknown }>(
  due: readonly Due[],
  now: Date,
): { going: Due[]; missed: Due[] } {
  const inTime = due.filter(({ dueAt, localTime }) => dueAt.getTime() > now.getTime() - latestStartMs(localTime))
  const last = inTime
    .filter(({ occurrence }) => !occurrence?.isChanged)
    .toSorted((a, b) => Number(a.dueAt) - Number(b.dueAt))
    .at(-1)
  const going = inTime.filter((each) => each === last || each.occurrence?.isChanged)
  return { going, missed: due.filter((each) => !going.includes(each)) }
}
