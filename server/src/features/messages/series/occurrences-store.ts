import sql, { empty } from 'sql-template-tag'
import { timeOrderedId } from '#base/ids.ts'
import type { Database, Transaction } from '#base/store/store.ts'
import { hashScheduled, hashSeries } from '../approved/hash-outgoing.ts'
import { insertScheduled } from '../schedule/schedule-store.ts'
import type { ScheduledMessage } from '../schedule/scheduled-message.ts'
import { shownAt } from './course/occurrences-after.ts'
import type { Series } from './series.ts'

type Key = Pick<Series, 'appId' | 'id'>

/** Occurrences as scheduled messages. Their ids are of the moments at which they go. */
export async function insertOccurrences(
  tx: Transaction,
  series: Series,
  { moments, now }: { moments: readonly Date[]; now: Date },
): Promise<ScheduledMessage[]> {
  if (moments.length === 0) return []
  const { zone, localTime } = series.course
  const { appId, product, sent, userIds, target, count, createdAt, createdBy } = series
  const said = { appId, product, sent, userIds, target, count, createdAt, createdBy }
  const isHeld = series.state === 'paused'
  const isApproved = series.approvedAs !== undefined
  if (isApproved && series.approvedAs !== hashSeries(series)) throw new Error('the series is not what was approved')
  const occurrences = moments.map((at) => {
    const made: ScheduledMessage = {
      ...said,
      id: timeOrderedId(at),
      dueAt: localTime && at < now ? now : at,
      localTime: localTime && { ...localTime, local: shownAt(at, zone) },
      cancelledAt: undefined,
      occurrence: { seriesId: series.id, at, isChanged: false, isHeld },
    }
    return isApproved ? { ...made, approvedAs: hashScheduled(made) } : made
  })
  await insertScheduled(tx, occurrences)
  return occurrences
}

/** The moments of all that are there, and of those the ones that are to go. */
export async function readAhead(tx: Transaction, { appId, id }: Key): Promise<{ open: number; moments: Date[] }> {
  const rows = await tx.query<{ occurs_at: Date; is_open: boolean }>(sql`
    select occurs_at, cancelled_at is null as is_open from scheduled_messages
    where app_id = ${appId} and series_id = ${id} order by occurs_at`)
  return { open: rows.filter(({ is_open }) => is_open).length, moments: rows.map(({ occurs_at }) => occurs_at) }
}

export interface NextRow {
  id: string
  series_id: string
  due_at: Date
  is_changed: boolean
}

/** What goes next of each, the first first. */
export async function listNext(
  database: Database,
  { appId, ids, limit }: { appId: number; ids: readonly string[]; limit: number },
): Promise<NextRow[]> {
  return database.query<NextRow>(sql`
    select m.id, m.series_id, m.due_at, m.is_changed
    from unnest(${ids}::uuid[]) as s(id) cross join lateral (
      select id, series_id, due_at, coalesce(is_changed, false) as is_changed from scheduled_messages m
      where m.app_id = ${appId} and m.series_id = s.id and m.cancelled_at is null order by due_at, id limit ${limit}) m
    order by m.due_at, m.id`)
}

/** Series of which something is due, whose turn it has been the longest first. */
export async function findDueSeries(database: Database, limit: number): Promise<{ appId: number; id: string }[]> {
  return database.query<{ appId: number; id: string }>(
    sql`select app_id as "appId", series_id as id from scheduled_messages
        where available_at <= peyk_now() and cancelled_at is null and series_id is not null
        group by app_id, series_id order by min(available_at), series_id limit ${limit}`,
    'find-due-series',
  )
}

/** After a start that failed. */
export async function postponeOccurrences(database: Database, { appId, id }: Key): Promise<void> {
  await database.query(sql`
    update scheduled_messages set available_at = peyk_now() + interval '30 seconds'
    where app_id = ${appId} and series_id = ${id} and available_at <= peyk_now() and cancelled_at is null`)
}

/** An occurrence whose turn it was: its message, and the moment that the rule gave it. */
export interface Passed {
  id: string
  at: Date
}

/** The one that is next by the rule, locked. */
export async function lockFirstOccurrence(tx: Transaction, { appId, id }: Key): Promise<Passed | undefined> {
  const [row] = await tx.query<Passed>(sql`
    select id, occurs_at as at from scheduled_messages
    where app_id = ${appId} and series_id = ${id} and cancelled_at is null order by occurs_at limit 1 for update`)
  return row
}

/** Says the same in all that were not changed by themselves. */
export async function rewriteOccurrences(tx: Transaction, series: Series): Promise<void> {
  const { appId, id, sent, userIds, target, count } = series
  await tx.query(sql`
    update scheduled_messages
    set sent = case jsonb_typeof(sent)
        when 'array' then jsonb_build_array(sent -> 0, ${JSON.stringify(sent)}::jsonb) else ${JSON.stringify(sent)}::jsonb end,
      user_ids = ${userIds ?? null}::text[],
      target = ${target ? JSON.stringify(target) : null}::jsonb, count = ${count}, approved_as = null
    where app_id = ${appId} and series_id = ${id} and cancelled_at is null and not is_changed`)
}

/** Takes back those that were not changed by themselves. Answers how many they were. */
export async function removeUnchanged(tx: Transaction, { appId, id }: Key): Promise<number> {
  const rows = await tx.query(sql`
    delete from scheduled_messages
    where app_id = ${appId} and series_id = ${id} and cancelled_at is null and not is_changed returning 1`)
  return rows.length
}

export async function holdOccurrences(tx: Transaction, { appId, id }: Key): Promise<void> {
  await tx.query(sql`
    update scheduled_messages set available_at = 'infinity'
    where app_id = ${appId} and series_id = ${id} and cancelled_at is null`)
}

/** Those to come go at their time again; those whose time has come are cancelled, and answered. */
export async function releaseOccurrences(tx: Transaction, { appId, id }: Key, now: Date): Promise<Passed[]> {
  const passed = await tx.query<Passed>(sql`
    update scheduled_messages set cancelled_at = ${now}
    where app_id = ${appId} and series_id = ${id} and cancelled_at is null and due_at <= ${now}
    returning id, occurs_at as at`)
  await tx.query(sql`
    update scheduled_messages set available_at = due_at
    where app_id = ${appId} and series_id = ${id} and cancelled_at is null`)
  return passed.toSorted((a, b) => Number(a.at) - Number(b.at))
}

/** Those with these ids, or all. */
export async function cancelOccurrences(
  tx: Transaction,
  { appId, id }: Key,
  { at, ids }: { at: Date; ids?: readonly string[] },
): Promise<void> {
  await tx.query(sql`
    update scheduled_messages set cancelled_at = ${at}
    where app_id = ${appId} and series_id = ${id} and cancelled_at is null ${ids ? sql`and id = any(${ids}::uuid[])` : empty}`)
}

/** Those of these moments that were cancelled go after all. Answers the moments of which none is there. */
export async function reviveOccurrences(
  tx: Transaction,
  { appId, id }: Key,
  moments: readonly Date[],
): Promise<Date[]> {
  const rows = await tx.query<{ at: Date }>(sql`
    update scheduled_messages set cancelled_at = null, available_at = due_at
    where app_id = ${appId} and series_id = ${id} and occurs_at = any(${moments.map((at) => at.toISOString())}::timestamptz[])
    returning occurs_at as at`)
  const there = new Set(rows.map(({ at }) => at.getTime()))
  return moments.filter((at) => !there.has(at.getTime()))
}
