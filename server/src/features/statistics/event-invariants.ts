import sql, { type Sql } from 'sql-template-tag'
import type { Database } from '../../base/store/store.ts'
import { countBroken, type Invariant, invariant, leadsTo } from './invariant.ts'

export const eventInvariants: readonly Invariant[] = [
  leadsTo(
    'events belong to a user',
    sql`events e left join users u using (app_id, user_no)`,
    sql`u.user_id`,
    sql`e.id`,
  ),
  leadsTo(
    'events of an installation lead to it',
    sql`(select * from events where installation_no is not null) e left join installations i using (app_id, installation_no)`,
    sql`i.id`,
    sql`e.id`,
  ),
  invariant('no event is stored twice', {
    from: sql`(select app_id, id, count(*) as times from events group by 1, 2) e`,
    broken: sql`e.times > 1`,
    example: sql`e.id`,
  }),
  leadsTo(
    'ids that clients gave their events lead to an installation',
    sql`event_ids e left join installations i using (app_id, installation_no)`,
    sql`i.id`,
    sql`e.event_id`,
  ),
  leadsTo(
    'events that wait for an installation lead to it and to their user',
    sql`event_adoptions a left join installations i using (app_id, installation_no)
        left join users u on u.app_id = a.app_id and u.user_no = a.user_no`,
    sql`case when i.id is not null then u.user_id end`,
    sql`a.user_no`,
  ),
  {
    name: 'event counters agree with the stored events',
    statement: (database) => compare(database, sql`installation_no`, sql`event_counters`),
  },
  {
    name: 'event counters of users without an installation agree with the stored events',
    statement: (database) =>
      compare(database, sql`user_no`, sql`user_event_counters`, sql`and e.installation_no is null`),
  },
]

const defaultEventDays = 400

/**
 * Counters stay when old events are dropped [choice 47]. They must be equal where nothing can have been dropped yet, and
 * may be larger elsewhere. An event is dropped by when it came, which is at most a day before it happened [choice 34].
 */
async function compare(database: Database, owner: Sql, counters: Sql, only: Sql = sql``): Promise<Sql> {
  const names = await readKeys(database)
  return countBroken({
    from: sql`(
      with keys as materialized (
        select * from unnest(${names.map((name) => name.appId)}::int[], ${names.map((name) => name.name)}::text[],
                             ${names.map((name) => name.key)}::text[]) as k(app_id, name, key)
      ), valued as (
        select e.app_id, e.${owner} as owner, e.event_at, k.key, e.revenue,
          coalesce(e.revenue, case when v.kind = 'number' and jsonb_typeof(e.data->'value') = 'number'
                                then (e.data->>'value')::numeric end) as value
        from events e
        join keys k on k.app_id = e.app_id and k.name = e.name collate "C"
        left join event_value_names v on v.app_id = e.app_id and v.event_key = k.key collate "C" and v.name = 'value'
        where e.${owner} is not null ${only}
      ), counted as (
        select app_id, owner, key, event_at, value from valued where key <> 'purchase' or revenue is not null
        union all
        select app_id, owner, 'purchase', event_at, value from valued where key <> 'purchase' and revenue is not null
      ), found as (
        select app_id, owner, key, count(*) as count, min(event_at) as first_at, max(event_at) as last_at,
          count(value) as value_count, sum(value) as value_sum
        from counted group by 1, 2, 3
      )
      select coalesce(c.${owner}, f.owner) || ' ' || coalesce(c.event_key, f.key) as example,
        case when c.app_id is null then true
          when may_be_dropped.so then f.count > c.count
          else (c.count, c.first_at, c.last_at, c.value_count, coalesce(c.value_sum, 0))
            is distinct from (f.count, f.first_at, f.last_at, f.value_count, coalesce(f.value_sum, 0)) end as is_broken
      from (select * from ${counters} where event_key <> '') c
      full join found f on f.app_id = c.app_id and f.owner = c.${owner} and f.key = c.event_key collate "C"
      left join apps a on a.app_id = c.app_id
      cross join lateral (
        select greatest(a.created_at, c.first_at - interval '1 day')
          < now() - make_interval(days => coalesce((a.settings->'retention'->>'eventsDays')::int, ${defaultEventDays})) as so
      ) may_be_dropped
    ) counter`,
    broken: sql`counter.is_broken`,
    example: sql`counter.example`,
  })
}

/** Event names in lower case as the service writes them: PostgreSQL's own lower() depends on its locale. */
async function readKeys(database: Database): Promise<{ appId: number; name: string; key: string }[]> {
  const rows = await database.query<{ app_id: number; name: string }>(sql`select distinct app_id, name from events`)
  return rows.map(({ app_id, name }) => ({ appId: app_id, name, key: name.toLowerCase() }))
}
