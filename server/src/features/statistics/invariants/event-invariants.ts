import sql, { empty } from 'sql-template-tag'
import { compareCounters } from './compare-counters.ts'
import { type Invariant, invariant, leadsTo } from './invariant.ts'

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
    statement: (database) =>
      compareCounters(database, { owner: sql`installation_no`, counters: sql`event_counters`, only: empty }),
  },
  {
    name: 'event counters of users without an installation agree with the stored events',
    statement: (database) =>
      compareCounters(database, {
        owner: sql`user_no`,
        counters: sql`user_event_counters`,
        only: sql`and e.installation_no is null`,
      }),
  },
]
