import { type Calendar, capWindowMs, longestCalendarDays, type panelCalendar, type QueryOf, show } from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { isTimeZone } from '#base/time-zone.ts'
import { getSendingRules } from '../../accounts/sending/get-sending-rules.ts'
import { daysOf, type Span } from './calendar-days.ts'
import { findClose, findCrowded, type Use } from './find-crowded.ts'
import { type Planned, readPlanned } from './read-planned.ts'
import { describeSentDays, readSentPlaces, type SentPlace } from './read-sent.ts'

const DAY = 86_400_000

/** What is to go and what went, with what may be too much for the same users. */
export async function readCalendar(ctx: Context, query: QueryOf<typeof panelCalendar>): Promise<Calendar> {
  const rules = await getSendingRules(db(ctx), ctx.app.id)
  const span = readSpan(query, rules.zone)
  const days = daysOf(span)
  // What was before the span may be in the window of a cap with what is in it.
  const lookedBackMs = Math.max(0, ...rules.caps.map(capWindowMs))
  const wide = { ...span, from: new Date(span.from.getTime() - lookedBackMs) }
  const { planned, isMore } = await readPlanned(ctx, wide)
  const sent = await readSentPlaces(ctx, wide)
  const isShown = (at: number) => at >= span.from.getTime()
  const close = findClose(planned.filter(isForAll).map(({ entry }) => new Date(entry.at)))
  return {
    zone: span.zone,
    planned: planned.flatMap((each) => {
      if (!isShown(each.entry.at)) return []
      return isForAll(each) && close.has(each.entry.at) ? { ...each.entry, isClose: true } : each.entry
    }),
    sent: await describeSentDays(ctx, sent.places, days),
    crowded: findCrowded(usesOf(planned, sent.places), rules.caps, days).map(({ day, ...crowd }) => ({
      day: day.getTime(),
      ...crowd,
    })),
    isMore: isMore || sent.isMore,
  }
}

function isForAll({ entry, isSilent }: Planned): boolean {
  return entry.isToAll === true && !isSilent && !entry.isPaused
}

/** Of messages to groups: users who are named are other ones each time. */
function usesOf(planned: readonly Planned[], sent: readonly SentPlace[]): Use[] {
  const counted = planned.flatMap(({ entry: { at, audience, category, isPaused }, isSilent }) =>
    category === undefined || audience === 'users' || isSilent || isPaused
      ? []
      : [{ at: new Date(at), category, isPlanned: true }],
  )
  const gone = sent.flatMap(({ at, category, is_silent }) =>
    category === null || is_silent ? [] : [{ at, category, isPlanned: false }],
  )
  return [...gone, ...counted]
}

function readSpan({ from, to, zone: given }: QueryOf<typeof panelCalendar>, own: string): Span {
  const zone = given ?? own
  if (!isTimeZone(zone)) throw fault('zone', `expected a time zone such as "Asia/Tehran", got ${show(zone)}`)
  if (to <= from) throw fault('to', 'expected a time after "from"')
  // A change of clocks may make them an hour longer.
  if (to - from > (longestCalendarDays + 1) * DAY - 1) {
    throw fault('to', `expected at most ${longestCalendarDays} days after "from"`)
  }
  return { from: new Date(from), to: new Date(to), zone }
}

function fault(field: string, what: string): RequestError {
  return new RequestError('invalid-request', `"${field}": ${what}.`, { details: { field } })
}
