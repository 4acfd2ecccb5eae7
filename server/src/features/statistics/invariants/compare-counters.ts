import sql, { type Sql } from 'sql-template-tag'
import { timeOfId } from '#base/ids.ts'
import type { Database } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import { countBroken } from './invariant.ts'

interface Comparison {
  /** The column that says whose counters they are. */
  owner: Sql
  counters: Sql
  /** Which events count for them. */
  only: Sql
}

/**
 * Counts all events anew and compares. Counters stay when old events are dropped
 * [users-and-events.md#how-long-data-is-kept]: where that may have happened they may be larger. Events that are just
 * being handed to an installation move before their counters do.
 */
export async function compareCounters(database: Database, { owner, counters, only }: Comparison): Promise<Sql> {
  const names = await readNames(database)
  const months = firstMonths(names)
  return countBroken({
    from: sql`(
      with names as materialized (
        select * from ${unnestRows(names, 'n', {
          app_id: ['int', (name) => name.appId],
          name: ['text', (name) => name.name],
          key: ['text', (name) => name.key],
        })}
      ), months as materialized (
        select * from ${unnestRows(months, 'm', {
          app_id: ['int', ([appId]) => appId],
          starts_at: ['timestamptz', ([, startsAt]) => startsAt.toISOString()],
        })}
      ), valued as (
        select e.app_id, e.${owner} as owner, e.event_at, n.key, e.revenue,
          coalesce(e.revenue, case when v.kind = 'number' and jsonb_typeof(e.data->'value') = 'number'
                                then (e.data->>'value')::numeric end) as value
        from events e
        join names n on n.app_id = e.app_id and n.name = e.name collate "C"
        left join event_value_names v on v.app_id = e.app_id and v.event_key = n.key collate "C" and v.name = 'value'
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
        a.app_id is null and case
          when c.app_id is null then true
          when greatest(apps.created_at, c.first_at - interval '1 day') < coalesce(m.starts_at, peyk_now()) then f.count > c.count
          else (c.count, c.first_at, c.last_at, c.value_count, coalesce(c.value_sum, 0))
            is distinct from (f.count, f.first_at, f.last_at, f.value_count, coalesce(f.value_sum, 0)) end as is_broken
      from (select * from ${counters} where event_key <> '') c
      full join found f on f.app_id = c.app_id and f.owner = c.${owner} and f.key = c.event_key collate "C"
      left join apps on apps.app_id = c.app_id
      left join months m on m.app_id = c.app_id
      left join (select distinct app_id, ${owner} as owner from event_adoptions) a
        on a.app_id = coalesce(c.app_id, f.app_id) and a.owner = coalesce(c.${owner}, f.owner)
    ) counter`,
    broken: sql`counter.is_broken`,
    example: sql`counter.example`,
  })
}

interface EventName {
  appId: number
  name: string
  /** In lower case as the service writes it: PostgreSQL's own lower() depends on its locale. */
  key: string
  firstId: string
}

async function readNames(database: Database): Promise<EventName[]> {
  const rows = await database.query<{ app_id: number; name: string; first_id: string }>(sql`
    select app_id, name, min(id::text) as first_id from events group by app_id, name`)
  return rows.map(({ app_id, name, first_id }) => ({ appId: app_id, name, key: name.toLowerCase(), firstId: first_id }))
}

/** The month of each app's oldest event: those before it may have been dropped. */
function firstMonths(names: readonly EventName[]): [appId: number, startsAt: Date][] {
  const oldest = new Map<number, string>()
  for (const { appId, firstId } of names) {
    const known = oldest.get(appId)
    if (known === undefined || firstId < known) oldest.set(appId, firstId)
  }
  return [...oldest].map(([appId, id]) => {
    const at = timeOfId(id)
    return [appId, new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth()))]
  })
}
