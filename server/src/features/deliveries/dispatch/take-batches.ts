import sql, { raw, type Sql } from 'sql-template-tag'
import { endOf, type Lease } from '#base/lease.ts'
import type { Database } from '#base/store/store.ts'
import { stoppedApps } from '../../accounts/apps/stop-store.ts'
import { installationsPerBatch } from '../local-time/cut-by-moment.ts'
import type { BatchRow, Lane } from './held-batch.ts'

interface Row {
  app_id: number
  batch_no: number
  message_id: string
  lane: Lane
  stream: string
  attempts: number
  was_unclear: boolean
  installation_nos: string[]
}

export interface Wanted {
  lane: Lane
  lease: Lease
  /** Streams whose sender has no room, as `app/stream`. */
  blocked: readonly string[]
  /** Group messages that have filled their sender, as `app/stream/message`. Other messages of the stream are taken. */
  crowding?: readonly string[]
  /** Apps that have enough in work. */
  busyApps?: readonly number[]
  perStream: number
  limit: number
}

export function takeBatches(database: Database, wanted: Wanted): Promise<BatchRow[]> {
  return wanted.lane === 'group' ? takeOfGroups(database, wanted) : takeOfStreams(database, wanted)
}

/** A turn takes several batches, up to the size of a whole one, because those of throttled messages are small. */
const installationsPerTurn = installationsPerBatch
const batchesPerMessage = 16

/**
 * Takes due batches of group messages: `perStream` turns per app and stream. Messages take turns in random order, so
 * that a large campaign does not starve another message. A skip scan of the index finds them.
 */
async function takeOfGroups(database: Database, wanted: Wanted): Promise<BatchRow[]> {
  const { lease, blocked, crowding = [], busyApps = [] } = wanted
  const [perStream, limit] = [raw(String(wanted.perStream)), raw(String(wanted.limit))]
  const rows = await database.query<Row>(
    sql`
      with recursive messages as (
        (select app_id, stream, message_id from delivery_batches
         where state = 'queued' and lane = 'group' order by app_id, stream, message_id limit 1)
        union all
        select next.app_id, next.stream, next.message_id from messages m cross join lateral (
          select app_id, stream, message_id from delivery_batches
          where state = 'queued' and lane = 'group' and (app_id, stream, message_id) > (m.app_id, m.stream, m.message_id)
          order by app_id, stream, message_id limit 1
        ) next
      ), found as materialized (
        select b.* from (
          select app_id, stream, message_id from messages
          where stream <> 'expand' and app_id || '/' || stream <> all (${blocked}::text[])
            and app_id || '/' || stream || '/' || message_id <> all (${crowding}::text[])
            and app_id <> all (${busyApps}::int[]) and app_id <> all (${stoppedApps})
        ) m cross join lateral (
          select app_id, stream, message_id, batch_no, available_at, cardinality(installation_nos) as size from delivery_batches
          where state = 'queued' and lane = 'group' and app_id = m.app_id and stream = m.stream and message_id = m.message_id
            and available_at <= peyk_now()
          order by available_at limit ${raw(String(batchesPerMessage))} for update skip locked
        ) b
      ), turns as (
        select f.app_id, f.batch_no, f.stream, l.lot,
          (sum(f.size) over (partition by f.app_id, f.stream, f.message_id order by f.available_at, f.batch_no) - f.size)
            / ${raw(String(installationsPerTurn))} as turn
        from found f join (
          select app_id, stream, message_id, random() as lot from found group by app_id, stream, message_id
        ) l using (app_id, stream, message_id)
      ), placed as (
        select app_id, batch_no, dense_rank() over (partition by app_id, stream order by turn, lot) as place from turns
      ), due as (
        select app_id, batch_no from placed where place <= ${perStream} order by place, random() limit ${limit}
      )
      update delivery_batches b
      set ${takenBy(lease)}
      from due where b.app_id = due.app_id and b.batch_no = due.batch_no
      returning b.app_id, b.batch_no, b.message_id, b.lane, b.stream, b.attempts, b.was_unclear, b.installation_nos`,
    `take-group-batches-${wanted.perStream}-${wanted.limit}`,
  )
  return rows.map(readRow)
}

/**
 * Takes due batches, some of each app and stream, so that one app does not delay the others. A skip scan of the index
 * finds the streams, and random order keeps any of them from always being left out.
 */
async function takeOfStreams(database: Database, wanted: Wanted): Promise<BatchRow[]> {
  const { lane, lease, blocked, busyApps = [] } = wanted
  // Known numbers: PostgreSQL would take others for large ones, and make a plan anew each time.
  const [perStream, limit] = [raw(String(wanted.perStream)), raw(String(wanted.limit))]
  const rows = await database.query<Row>(
    sql`
      with recursive streams as (
        (select app_id, stream from delivery_batches where state = 'queued' and lane = ${lane} order by app_id, stream limit 1)
        union all
        select next.app_id, next.stream from streams s cross join lateral (
          select app_id, stream from delivery_batches
          where state = 'queued' and lane = ${lane} and (app_id, stream) > (s.app_id, s.stream)
          order by app_id, stream limit 1
        ) next
      ), due as materialized (
        select b.app_id, b.batch_no from (
          select app_id, stream from streams
          where stream <> 'expand' and app_id || '/' || stream <> all (${blocked}::text[])
            and app_id <> all (${busyApps}::int[]) and app_id <> all (${stoppedApps})
          order by random()
        ) s cross join lateral (
          select app_id, batch_no from delivery_batches
          where state = 'queued' and lane = ${lane} and app_id = s.app_id and stream = s.stream and available_at <= peyk_now()
          order by available_at limit ${perStream} for update skip locked
        ) b
        limit ${limit}
      )
      update delivery_batches b
      set ${takenBy(lease)}
      from due where b.app_id = due.app_id and b.batch_no = due.batch_no
      returning b.app_id, b.batch_no, b.message_id, b.lane, b.stream, b.attempts, b.was_unclear, b.installation_nos`,
    `take-batches-${wanted.perStream}-${wanted.limit}`,
  )
  return rows.map(readRow)
}

/**
 * Those whose message has expired, also where nothing else is taken: a provider that wants us to wait keeps no end back.
 * Of these it finds what is in nobody's hands; the rest `takeExpiredOfDead` does.
 */
export function takeExpired(database: Database, lease: Lease): Promise<BatchRow[]> {
  return takeEnded(
    database,
    lease,
    sql`select app_id, batch_no from delivery_batches
        where state = 'queued' and lease_holder is null and stream <> 'expand'
          and expires_at <= peyk_now() and available_at <= peyk_now()
        order by expires_at limit ${raw(String(expiredAtOnce))} for update skip locked`,
    'take-expired',
  )
}

/** What a process had that is no more, or an older version stored. It looks at all that is due: to be called seldom. */
export function takeExpiredOfDead(database: Database, lease: Lease): Promise<BatchRow[]> {
  return takeEnded(
    database,
    lease,
    sql`select b.app_id, b.batch_no from delivery_batches b cross join lateral (
          select 1 from messages m
          where m.app_id = b.app_id and m.id = b.message_id and least(m.expires_at, b.expires_at) <= peyk_now() offset 0
        ) expired
        where b.state = 'queued' and b.lane in ('personal', 'group') and b.stream <> 'expand' and b.available_at <= peyk_now()
        limit ${raw(String(expiredAtOnce))} for update of b skip locked`,
    'take-expired-of-dead',
  )
}

const expiredAtOnce = 100

async function takeEnded(database: Database, lease: Lease, due: Sql, name: string): Promise<BatchRow[]> {
  const rows = await database.query<Row>(
    sql`
      update delivery_batches b
      set ${takenBy(lease)}
      from (${due}) due
      where b.app_id = due.app_id and b.batch_no = due.batch_no
      returning b.app_id, b.batch_no, b.message_id, b.lane, b.stream, b.attempts, b.was_unclear, b.installation_nos`,
    name,
  )
  return rows.map(readRow)
}

/** What somebody else had, and let the lease end, may have been sent: nobody knows. */
function takenBy(lease: Lease): Sql {
  return sql`lease_holder = ${lease.holder}, available_at = ${endOf(lease)}, attempts = b.attempts + 1, stopped_at = null,
    was_unclear = b.was_unclear or b.lease_holder is not null`
}

function readRow(row: Row): BatchRow {
  return {
    appId: row.app_id,
    batchNo: row.batch_no,
    messageId: row.message_id,
    lane: row.lane,
    stream: row.stream,
    attempts: row.attempts,
    wasUnclear: row.was_unclear,
    installationNos: row.installation_nos.map(Number),
  }
}
