import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import { stoppedApps } from '../../accounts/apps/stop-store.ts'

export interface Overdue {
  lane: 'personal' | 'group'
  seconds: number
}

/**
 * For how long the oldest batch of each lane has been due without being taken; 0 when none is. Not of stopped apps. What
 * waited for a local time counts as of groups until it is in its lane.
 */
export async function readOverdue({ store }: Pick<Context, 'store'>): Promise<Overdue[]> {
  return store.query<{ lane: Overdue['lane']; seconds: number }>(
    sql`
      with recursive streams as (
        (select lane, app_id, stream from delivery_batches where state = 'queued' order by lane, app_id, stream limit 1)
        union all
        select next.lane, next.app_id, next.stream from streams s cross join lateral (
          select lane, app_id, stream from delivery_batches
          where state = 'queued' and (lane, app_id, stream) > (s.lane, s.app_id, s.stream)
          order by lane, app_id, stream limit 1
        ) next
      ), oldest as (
        select case s.lane when 'later' then 'group' else s.lane end as lane, b.available_at from streams s cross join lateral (
          select available_at from delivery_batches
          where state = 'queued' and lane = s.lane and app_id = s.app_id and stream = s.stream
          order by available_at limit 1
        ) b
        where s.app_id <> all (${stoppedApps})
      )
      select lane, greatest(0, coalesce(extract(epoch from peyk_now() - min(available_at)), 0))::float8 as seconds
      from (values ('personal'), ('group')) as lanes(lane) left join oldest using (lane) group by lane`,
    'read-overdue',
  )
}
