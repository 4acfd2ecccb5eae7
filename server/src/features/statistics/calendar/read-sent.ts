import type { Calendar, SentEntry } from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { aroundTheEarthMs, dayOf, placeOf, type Span } from './calendar-days.ts'
import { listSentMoments, readSentRows, type SentMoment, type SentRow } from './sent-store.ts'

const mostMessages = 10_000
const shownPerDay = 8

export type SentPlace = SentMoment & { at: Date }

/** Messages to groups that went in a span of time, by where they stand. */
export async function readSentPlaces(ctx: Context, span: Span): Promise<{ places: SentPlace[]; isMore: boolean }> {
  const { from, to, zone } = span
  const moments = await listSentMoments(db(ctx), {
    appId: ctx.app.id,
    from: new Date(from.getTime() - aroundTheEarthMs),
    to: new Date(to.getTime() + aroundTheEarthMs),
    limit: mostMessages + 1,
  })
  const places = moments
    .slice(0, mostMessages)
    .map((moment) => ({ ...moment, at: placeOf(moment.accepted_at, localOf(moment), zone) }))
    .filter(({ at }) => at >= from && at < to)
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
  return { places, isMore: moments.length > mostMessages }
}

/** How many there were on each day, and the first of them. */
export async function describeSentDays(
  ctx: Context,
  places: readonly SentPlace[],
  days: readonly Date[],
): Promise<Calendar['sent']> {
  const byDay = Map.groupBy(places, ({ at }) => dayOf(days, at)?.getTime())
  byDay.delete(undefined)
  const shown = [...byDay.values()].flatMap((ofDay) => ofDay.slice(0, shownPerDay))
  const rows = await readSentRows(db(ctx), { appId: ctx.app.id, ids: shown.map(({ id }) => id) })
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  return [...byDay].map(([day, ofDay]) => ({
    day: day as number,
    count: ofDay.length,
    first: ofDay.slice(0, shownPerDay).flatMap(({ id, at }) => {
      const row = rowOf.get(id)
      return row ? [sentEntry(row, at)] : []
    }),
  }))
}

function localOf({ local }: SentMoment): { local: string } | undefined {
  return local === null ? undefined : { local }
}

function sentEntry(row: SentRow, at: Date): SentEntry {
  const { local_time: time } = row
  return {
    id: row.id,
    at: at.getTime(),
    ...(row.title !== null && { title: row.title }),
    audience: row.audience,
    ...(row.is_to_all && { isToAll: true }),
    count: row.recipients,
    ...(row.category !== null && { category: row.category }),
    ...(row.series_id !== null && { seriesId: row.series_id }),
    ...(time && { localTime: { local: time.local, ...(time.zone && { zone: time.zone }), late: time.late } }),
    state: stateOf(row),
  }
}

function stateOf(row: SentRow): SentEntry['state'] {
  if (row.is_recalled) return 'recalled'
  if (row.is_cancelled) return 'cancelled'
  if (row.is_finished) return 'sent'
  return row.is_paused ? 'paused' : 'sending'
}
