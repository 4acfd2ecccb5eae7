import { setImmediate } from 'node:timers/promises'
import type { PlannedEntry } from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { readMessageChannel } from '../../messages/compose/message-channel.ts'
import { shownAt } from '../../messages/series/course/occurrences-after.ts'
import { aroundTheEarthMs, placeOf, type Span } from './calendar-days.ts'
import { furtherMoments } from './further-moments.ts'
import { type GoingRow, listGoing, listPlanned, type PlannedRow, type Said } from './planned-store.ts'

const mostToGroups = 1_000
const mostToNamed = 300
const mostSeries = 200
/** Moments of all series together that are looked at: each costs a tenth of a millisecond. */
const mostLooked = 2_000

/** A planned message, and whether its devices are to notice it. */
export interface Planned {
  entry: PlannedEntry
  isSilent: boolean
}

/** What is to go in a span of time: scheduled messages, and later moments of series. */
export async function readPlanned(ctx: Context, span: Span): Promise<{ planned: Planned[]; isMore: boolean }> {
  const scheduled = await readScheduled(ctx, span)
  const further = await readFurther(ctx, span)
  const planned = [...scheduled.planned, ...further.planned]
    .filter(({ entry: { at } }) => at >= span.from.getTime() && at < span.to.getTime())
    .toSorted((a, b) => a.entry.at - b.entry.at)
  return { planned, isMore: scheduled.isMore || further.isMore }
}

/** Those with a local time start before clocks of the zone show it. */
function startsIn({ from, to }: Span): { from: Date; to: Date } {
  return { from: new Date(from.getTime() - aroundTheEarthMs), to: new Date(to.getTime() + aroundTheEarthMs) }
}

async function readScheduled(ctx: Context, span: Span): Promise<{ planned: Planned[]; isMore: boolean }> {
  const wanted = { appId: ctx.app.id, ...startsIn(span) }
  const groups = await listPlanned(db(ctx), { ...wanted, areNamed: false, limit: mostToGroups + 1 })
  const named = await listPlanned(db(ctx), { ...wanted, areNamed: true, limit: mostToNamed + 1 })
  const rows = [...groups.slice(0, mostToGroups), ...named.slice(0, mostToNamed)]
  return {
    planned: rows.map((row) => ({ entry: scheduledEntry(row, span.zone), isSilent: row.is_silent })),
    isMore: groups.length > mostToGroups || named.length > mostToNamed,
  }
}

function scheduledEntry(row: PlannedRow, zone: string): PlannedEntry {
  const localTime = row.local_time ?? undefined
  return {
    id: row.id,
    at: placeOf(row.due_at, localTime, zone).getTime(),
    ...entryOf(row),
    ...(row.series_id !== null && { seriesId: row.series_id }),
    ...(localTime && { localTime }),
    ...(row.is_held && { isPaused: true }),
    ...(row.is_changed && { isChanged: true }),
  }
}

async function readFurther(ctx: Context, span: Span): Promise<{ planned: Planned[]; isMore: boolean }> {
  const bounds = startsIn(span)
  const going = await listGoing(db(ctx), { appId: ctx.app.id, to: bounds.to, limit: mostSeries })
  const planned: Planned[] = []
  let left = mostLooked
  let isMore = false
  for (const row of going) {
    const found = furtherMoments(seriesOf(row), { ...bounds, most: left })
    for (const at of found.moments) {
      planned.push({ entry: furtherEntry(row, at, span.zone), isSilent: row.is_silent })
    }
    left -= found.looked
    isMore ||= found.isMore
    // Others have their turn between two series.
    await setImmediate()
  }
  return { planned, isMore }
}

function seriesOf(row: GoingRow) {
  return {
    course: {
      rule: row.rule,
      zone: row.zone,
      localTime: row.local_time ?? undefined,
      startsAt: row.starts_at,
      until: row.until ?? undefined,
      times: row.times ?? undefined,
    },
    made: row.made,
    lastAt: row.last_at ?? undefined,
    taken: new Set(row.taken.map(Number)),
  }
}

function furtherEntry(row: GoingRow, at: Date, zone: string): PlannedEntry {
  const localTime = row.local_time ? { ...row.local_time, local: shownAt(at, row.zone) } : undefined
  return {
    at: placeOf(at, localTime, zone).getTime(),
    ...entryOf(row),
    seriesId: row.id,
    ...(localTime && { localTime }),
  }
}

function entryOf(row: Said): Pick<PlannedEntry, 'title' | 'audience' | 'count' | 'category' | 'isToAll'> {
  const channel = row.product === 'message' ? (row.channel ?? '') : ''
  const isToAll = row.is_to_all_rules || (row.audience === 'public' && readMessageChannel(channel).name === 'default')
  return {
    ...(row.title !== null && { title: row.title }),
    audience: row.audience,
    count: row.count,
    ...(isToAll && { isToAll }),
    ...(row.category !== null && { category: row.category }),
  }
}
