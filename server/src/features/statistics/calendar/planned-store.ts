import type { PlannedEntry } from '@peyk/contract'
import sql, { empty, type Sql } from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'
import type { Product } from '../../messages/compose/expiry.ts'
import type { LocalTime } from '../../messages/local-time/local-time.ts'
import type { SeriesLocalTime } from '../../messages/series/course/course.ts'

/** What an entry says of its message. */
export interface Said {
  product: Product
  audience: PlannedEntry['audience']
  count: number
  title: string | null
  category: string | null
  is_silent: boolean
  channel: string | null
  is_to_all_rules: boolean
}

export interface PlannedRow extends Said {
  id: string
  due_at: Date
  local_time: LocalTime | null
  series_id: string | null
  is_changed: boolean
  is_held: boolean
}

/** Of a request that is kept, without the users it names: they may be ten thousand. */
const said = (request: Sql) => sql`
  m.product, case when m.target is not null then 'query' when m.user_ids is not null then 'users' else 'public' end as audience, m.count,
  left(coalesce(nullif(${request} #>> '{notification,title}', ''), nullif(${request} ->> 'alertText', ''),
    nullif(${request} #>> '{notification,body}', ''), nullif(${request} ->> 'content', '')), 200) as title,
  nullif(${request} ->> 'category', 'transactional') as category, coalesce(${request} -> 'silent' = 'true', false) as is_silent,
  ${request} ->> 'channel' as channel, coalesce(m.target -> 'target' = '{}', false) as is_to_all_rules`

interface Wanted {
  appId: number
  from: Date
  to: Date
  limit: number
}

/** Scheduled messages that start in a span of time, to groups or to named users; by time. */
export async function listPlanned(
  database: Database,
  { appId, from, to, areNamed, limit }: Wanted & { areNamed: boolean },
): Promise<PlannedRow[]> {
  return database.query<PlannedRow>(sql`
    select m.id, m.due_at, case jsonb_typeof(m.sent) when 'array' then m.sent -> 0 end as local_time, m.series_id,
      coalesce(m.is_changed, false) as is_changed, m.available_at = 'infinity' as is_held, ${said(sql`r.request`)}
    from scheduled_messages m
      cross join lateral (select case jsonb_typeof(m.sent) when 'array' then m.sent -> 1 else m.sent end as request) r
    where m.app_id = ${appId} and m.cancelled_at is null and m.due_at >= ${from} and m.due_at < ${to}
      and m.user_ids is ${areNamed ? sql`not` : empty} null
    order by m.due_at, m.id limit ${limit}`)
}

export interface GoingRow extends Said {
  id: string
  rule: string
  zone: string
  local_time: SeriesLocalTime | null
  starts_at: Date
  until: Date | null
  times: number | null
  made: number
  last_at: Date | null
  /** The moments of the rule for which there are scheduled messages. */
  taken: Date[]
}

/** Series that go on with a moment before `to`, the first first. */
export async function listGoing(database: Database, { appId, to, limit }: Omit<Wanted, 'from'>): Promise<GoingRow[]> {
  return database.query<GoingRow>(sql`
    select m.id, m.rule, m.zone, m.local_time, m.starts_at, m.until, m.times, m.made, m.last_at, ${said(sql`m.sent`)},
      array(select occurs_at from scheduled_messages o where o.app_id = m.app_id and o.series_id = m.id and o.occurs_at is not null) as taken
    from series m
    where m.app_id = ${appId} and m.state = 'active' and m.next_at < ${to}
    order by m.next_at, m.id limit ${limit}`)
}
