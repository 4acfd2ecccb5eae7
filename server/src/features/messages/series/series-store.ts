import type { SeriesState, StoryLine } from '@peyk/contract'
import sql, { empty, type Sql } from 'sql-template-tag'
import type { Database, Transaction } from '#base/store/store.ts'
import type { SeriesLocalTime } from './course/course.ts'
import type { Series } from './series.ts'

export interface SeriesRow {
  app_id: number
  id: string
  product: Series['product']
  sent: Series['sent']
  user_ids: string[] | null
  target: NonNullable<Series['target']> | null
  count: number
  rule: string
  zone: string
  local_time: SeriesLocalTime | null
  starts_at: Date
  until: Date | null
  times: number | null
  state: SeriesState
  made: number
  last_at: Date | null
  next_at: Date | null
  sent_count: number
  skipped_count: number
  missed_count: number
  story: StoryLine[]
  created_at: Date
  created_by: string | null
  changed_at: Date
  ended_at: Date | null
  approved_as: string | null
}

const columns = sql`app_id, id, product, sent, user_ids, target, count, rule, zone, local_time, starts_at, until, times, state, made, last_at,
  next_at, sent_count, skipped_count, missed_count, story, created_at, created_by, changed_at, ended_at,
  approved_as`

export async function insertSeries(tx: Transaction, series: Series): Promise<void> {
  const { appId, id, product, sent, userIds, target, count, course, state, made, lastAt, nextAt, counts, story } =
    series
  await tx.query(sql`
    insert into series (${columns}, missed_until)
    values (${appId}, ${id}, ${product}, ${JSON.stringify(sent)}::jsonb, ${userIds ?? null}::text[], ${json(target)}::jsonb, ${count},
      ${course.rule}, ${course.zone}, ${json(course.localTime)}::jsonb, ${course.startsAt}, ${course.until ?? null}, ${course.times ?? null}, ${state}, ${made},
      ${lastAt ?? null}, ${nextAt ?? null}, ${counts.sent}, ${counts.skipped}, ${counts.missed}, ${JSON.stringify(story)}::jsonb,
      ${series.createdAt}, ${series.createdBy ?? null}, ${series.changedAt}, ${series.endedAt ?? null},
      ${series.approvedAs ?? null}, ${missedUntil(series)})`)
}

export async function updateSeries(tx: Transaction, series: Series): Promise<void> {
  const { appId, id, sent, userIds, target, count, course, state, made, lastAt, nextAt, counts, story } = series
  await tx.query(sql`
    update series
    set sent = ${JSON.stringify(sent)}::jsonb, user_ids = ${userIds ?? null}::text[], target = ${json(target)}::jsonb, count = ${count},
      rule = ${course.rule}, zone = ${course.zone}, local_time = ${json(course.localTime)}::jsonb, starts_at = ${course.startsAt}, until = ${course.until ?? null},
      times = ${course.times ?? null}, state = ${state}, made = ${made}, last_at = ${lastAt ?? null}, next_at = ${nextAt ?? null},
      sent_count = ${counts.sent}, skipped_count = ${counts.skipped}, missed_count = ${counts.missed},
      missed_until = ${missedUntil(series)}, story = ${JSON.stringify(story)}::jsonb, changed_at = ${series.changedAt},
      ended_at = ${series.endedAt ?? null}, approved_as = ${series.approvedAs ?? null}
    where app_id = ${appId} and id = ${id}`)
}

export async function findSeries(
  database: Database,
  { appId, id }: { appId: number; id: string },
): Promise<Series | undefined> {
  const [row] = await database.query<SeriesRow>(
    sql`select ${columns} from series where app_id = ${appId} and id = ${id}`,
  )
  return row && readSeries(row)
}

/**
 * Until the transaction ends, nobody else starts, makes, changes or cancels an occurrence of it. Whoever locks
 * occurrences, too, locks them after it.
 */
export async function lockSeries(
  tx: Transaction,
  { appId, id }: { appId: number; id: string },
): Promise<Series | undefined> {
  const [row] = await tx.query<SeriesRow>(
    sql`select ${columns} from series where app_id = ${appId} and id = ${id} for update`,
  )
  return row && readSeries(row)
}

/** The same; undefined when somebody else has it, too. */
export async function tryLockSeries(
  tx: Transaction,
  { appId, id }: { appId: number; id: string },
): Promise<Series | undefined> {
  const [row] = await tx.query<SeriesRow>(
    sql`select ${columns} from series where app_id = ${appId} and id = ${id} for update skip locked`,
  )
  return row && readSeries(row)
}

/** The series of an occurrence, locked. */
export async function lockSeriesOf(
  tx: Transaction,
  { appId, messageId }: { appId: number; messageId: string },
): Promise<Series | undefined> {
  const [row] = await tx.query<SeriesRow>(
    sql`select ${columns} from series
        where app_id = ${appId} and id = (select series_id from scheduled_messages where app_id = ${appId} and id = ${messageId})
        for update`,
  )
  return row && readSeries(row)
}

/** Newest first. */
export async function listSeriesRows(
  database: Database,
  {
    appId,
    state,
    before,
    limit,
  }: { appId: number; state: SeriesState | undefined; before: string | undefined; limit: number },
): Promise<Series[]> {
  const rows = await database.query<SeriesRow>(sql`
    select ${columns} from series
    where app_id = ${appId} ${state ? sql`and state = ${state}` : empty} ${before ? sql`and id < ${before}::uuid` : empty}
    order by id desc limit ${limit}`)
  return rows.map(readSeries)
}

/** Those that name a user, as a statement. */
export function seriesFor({ appId, userId }: { appId: number; userId: string }): Sql {
  return sql`select ${columns} from series where app_id = ${appId} and user_ids @> array[${userId}::text] order by id`
}

/** One at a time adds a series: their number is looked at before. */
export async function lockNumberOfSeries(tx: Transaction, appId: number): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`series ${appId}`}, 0))`)
}

export async function countGoingSeries(tx: Transaction, appId: number): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    sql`select count(*)::int as count from series where app_id = ${appId} and state <> 'ended'`,
  )
  return row?.count ?? 0
}

/** Series of which fewer occurrences are ahead than there should be, or too few were made because the clock was wrong. */
export async function findSeriesToTend(
  database: Database,
  { ahead, limit }: { ahead: number; limit: number },
): Promise<{ appId: number; id: string }[]> {
  return database.query<{ appId: number; id: string }>(sql`
    select app_id as "appId", id from series s
    where state = 'active' and (missed_until > peyk_now() or (next_at is not null and ${ahead}::int > (
      select count(*) from scheduled_messages m where m.app_id = s.app_id and m.series_id = s.id and m.cancelled_at is null)))
    limit ${limit}`)
}

export function readSeries(row: SeriesRow): Series {
  return {
    appId: row.app_id,
    id: row.id,
    product: row.product,
    sent: row.sent,
    userIds: row.user_ids ?? undefined,
    target: row.target ?? undefined,
    count: row.count,
    course: {
      rule: row.rule,
      zone: row.zone,
      localTime: row.local_time ?? undefined,
      startsAt: row.starts_at,
      until: row.until ?? undefined,
      times: row.times ?? undefined,
    },
    state: row.state,
    made: row.made,
    lastAt: row.last_at ?? undefined,
    nextAt: row.next_at ?? undefined,
    counts: { sent: row.sent_count, skipped: row.skipped_count, missed: row.missed_count },
    story: row.story,
    createdAt: row.created_at,
    createdBy: row.created_by ?? undefined,
    changedAt: row.changed_at,
    endedAt: row.ended_at ?? undefined,
    approvedAs: row.approved_as ?? undefined,
  }
}

function json(value: object | undefined): string | null {
  return value ? JSON.stringify(value) : null
}

function missedUntil({ story }: Series): Date | null {
  const missed = story.filter(({ what }) => what === 'missed').map(({ at }) => at)
  return missed.length > 0 ? new Date(Math.max(...missed)) : null
}
