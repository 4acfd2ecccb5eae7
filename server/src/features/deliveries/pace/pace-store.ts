import sql from 'sql-template-tag'
import type { Database, Transaction } from '#base/store/store.ts'
import { stoppedApps } from '../../accounts/apps/stop-store.ts'

export interface DuePace {
  app_id: number
  message_id: string
  per_minute: number
  /** How many installations may go now. */
  count: number
  /** Seconds that an SMS waits after the hand-over; null where there is none. */
  sms_delay: number | null
}

/** A batch whose turn has come. */
export interface Released {
  installation_nos: string[]
  /** It was not tried before. */
  is_new: boolean
}

/** So many batches are released at a time; the next turn goes on. */
const mostBatches = 1_000

/**
 * From when the installations that may go now are counted. Half a second's worth is saved up at most: whoever was away, or
 * was paused, begins where it would have begun anew. It is the same in all statements of a transaction.
 */
const countedFrom = sql`greatest(p.next_at,
  peyk_now() - greatest(interval '0', interval '0.5 seconds' - interval '1 minute' / p.per_minute))`

/** What may go on now, locked until the transaction ends. */
export async function takeDuePaces(tx: Transaction, { limit }: { limit: number }): Promise<DuePace[]> {
  return tx.query<DuePace>(
    sql`select p.app_id, p.message_id, p.per_minute,
          floor(extract(epoch from peyk_now() - ${countedFrom}) * p.per_minute / 60)::int + 1 as count,
          (select (m.body->'fallback'->>'delay')::float8 from messages m where m.app_id = p.app_id and m.id = p.message_id) as sms_delay
        from message_paces p
        where p.next_at <= peyk_now() and p.app_id <> all (${stoppedApps})
        order by p.next_at limit ${limit} for update skip locked`,
    'take-due-paces',
  )
}

/**
 * Lets as many installations go, the longest waiting first, and answers which these were: whole batches, and the
 * beginning of one as a batch of its own. None of a stream of which half a second's worth was released and is not taken: its
 * provider takes nothing, and what piled up would go at once when it does again.
 */
export async function releaseBatches(tx: Transaction, pace: DuePace): Promise<Released[]> {
  const { app_id: appId, message_id: messageId, per_minute: perMinute, count } = pace
  const ofMessage = sql`app_id = ${appId} and message_id = ${messageId} and state = 'queued'`
  return tx.query<Released>(
    sql`with crowded as materialized (
          select stream from delivery_batches
          where ${ofMessage} and paced_from is null and available_at <= peyk_now() and stream <> 'expand'
          group by stream having sum(cardinality(installation_nos)) >= ${Math.max(1, perMinute / 120)}::float8
        ), waiting as materialized (
          select batch_no, paced_from, installation_nos from delivery_batches
          where ${ofMessage} and paced_from <= peyk_now() and lease_holder is null and stream not in (select stream from crowded)
          order by paced_from, batch_no limit ${Math.min(count, mostBatches)} for update skip locked
        ), numbered as materialized (
          select batch_no, installation_nos, cardinality(installation_nos) as size,
            sum(cardinality(installation_nos)) over (order by paced_from, batch_no) - cardinality(installation_nos) as ahead
          from waiting
        ), whole as (
          update delivery_batches b set paced_from = null, available_at = peyk_now()
          from numbered n
          where b.app_id = ${appId} and b.batch_no = n.batch_no and n.ahead + n.size <= ${count}
          returning n.installation_nos, b.attempts = 0 as is_new
        ), cut as (
          update delivery_batches b set installation_nos = n.installation_nos[(${count}::bigint - n.ahead + 1)::int:]
          from numbered n
          where b.app_id = ${appId} and b.batch_no = n.batch_no and n.ahead < ${count} and n.ahead + n.size > ${count}
          returning b.message_id, b.lane, b.stream, b.expires_at, b.attempts, b.was_unclear, b.awaits_winner,
            n.installation_nos[:(${count}::bigint - n.ahead)::int] as installation_nos
        ), part as (
          insert into delivery_batches (app_id, message_id, lane, stream, expires_at, attempts, was_unclear, awaits_winner, installation_nos, available_at)
          select ${appId}, message_id, lane, stream, expires_at, attempts, was_unclear, awaits_winner, installation_nos, peyk_now() from cut
          returning installation_nos, attempts = 0 as is_new
        )
        select installation_nos::text[], is_new from whole union all select installation_nos::text[], is_new from part`,
    'release-batches',
  )
}

/** Minimum and maximum length of a measured period. A longer one contains a pause. */
const measuredOver = sql`interval '5 seconds'`
const longestPeriod = sql`interval '30 seconds'`
const sinceMeasured = sql`extract(epoch from peyk_now() - p.measured_from)`

/** Stores when the next installation may be released, and how many were released now. */
export async function movePace(tx: Transaction, pace: DuePace, released: number): Promise<void> {
  const { app_id: appId, message_id: messageId } = pace
  await tx.query(
    sql`update message_paces p set next_at = ${countedFrom} + ${released}::int * interval '1 minute' / p.per_minute,
          per_second = case
            when p.measured_from > peyk_now() - ${measuredOver} then p.per_second
            when p.measured_from > peyk_now() - ${longestPeriod} then p.measured / ${sinceMeasured} end,
          measured = case when p.measured_from > peyk_now() - ${measuredOver} then p.measured else 0 end + ${released}::int,
          measured_from = case when p.measured_from > peyk_now() - ${measuredOver} then p.measured_from else peyk_now() end
        where p.app_id = ${appId} and p.message_id = ${messageId}`,
    'move-pace',
  )
}

/** Recent releases per second, by message. Messages without a known rate are left out. */
export async function readReleaseRates(
  database: Database,
  { appId, messageIds }: { appId: number; messageIds: readonly string[] },
): Promise<Map<string, number>> {
  if (messageIds.length === 0) return new Map()
  const rows = await database.query<{ message_id: string; per_second: number | null }>(
    sql`select p.message_id,
          case when p.measured_from > peyk_now() - ${measuredOver} then p.per_second::float8
            else (p.measured / ${sinceMeasured})::float8 end as per_second
        from message_paces p where p.app_id = ${appId} and p.message_id = any (${[...messageIds]}::uuid[])`,
    'read-release-rates',
  )
  return new Map(rows.flatMap((row) => (row.per_second === null ? [] : [[row.message_id, row.per_second]])))
}

/** Nothing was there to go: it is looked at again in a moment; later where all that waits is to be tried again later, or waits for a local time. */
export async function postponePace(tx: Transaction, pace: DuePace): Promise<void> {
  const { app_id: appId, message_id: messageId } = pace
  await tx.query(
    sql`update message_paces p
        set next_at = greatest(peyk_now() + interval '1 second', (
          select case when count(b.paced_from) > 0 then least(min(b.paced_from), peyk_now() + interval '5 seconds') else min(b.available_at) end
          from delivery_batches b
          where b.app_id = p.app_id and b.message_id = p.message_id and b.state = 'queued' and (b.paced_from is not null or b.lane = 'later')))
        where p.app_id = ${appId} and p.message_id = ${messageId}`,
    'postpone-pace',
  )
}

/** A message of which nothing is left in the work-list has no pace any more. */
export async function endPace(tx: Transaction, { app_id: appId, message_id: messageId }: DuePace): Promise<void> {
  await tx.query(sql`
    delete from message_paces p
    where p.app_id = ${appId} and p.message_id = ${messageId} and not exists (
      select from delivery_batches b
      where b.app_id = p.app_id and b.message_id = p.message_id and b.state in ('queued', 'paused'))`)
}

/** The delay of an SMS counts from when the last device of its user gets its turn. */
export async function startSmsDelays(
  tx: Transaction,
  pace: DuePace,
  installationNos: readonly string[],
): Promise<void> {
  const { app_id: appId, message_id: messageId, sms_delay: delay } = pace
  await tx.query(sql`
    with own as (
      select f.user_id from sms_fallbacks f
      where f.app_id = ${appId} and f.message_id = ${messageId} and f.state = 'waiting' and f.user_id in (
        select u.user_id from installations i join users u on u.app_id = i.app_id and u.user_no = i.user_no
        where i.app_id = ${appId} and i.installation_no = any(${installationNos}::bigint[]))
      order by f.user_id for update of f
    )
    update sms_fallbacks f set due_at = peyk_now() + make_interval(secs => ${delay})
    from own where f.app_id = ${appId} and f.message_id = ${messageId} and f.user_id = own.user_id`)
}
