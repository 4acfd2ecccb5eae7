import sql, { empty } from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { firstIdAt, timeOfId } from '#base/ids.ts'
import { eventAnswer } from '../../events/read/event-answer.ts'
import type { ListedEvent } from '../../events/read/list-events-store.ts'
import type { FoundLine } from './found-line.ts'
import type { Range } from './place.ts'

/** By the time in their ids, which is when they came. */
export async function readEvents(ctx: Context, { from, afterKey, until }: Range, limit: number): Promise<FoundLine[]> {
  const rows = await db(ctx).query<ListedEvent>(sql`
    select e.id, u.user_id, i.id as installation_id, e.event_at, e.name, e.data, e.revenue, e.currency,
      e.influence_message_id, e.influence_direct
    from (
      select * from events
      where app_id = ${ctx.app.id} and id >= ${firstIdFrom(from)}::uuid and id < ${firstIdFrom(until)}::uuid
        ${afterKey === undefined ? empty : sql`and id > ${afterKey}::uuid`}
      order by id limit ${limit}
    ) e
    left join users u on u.app_id = e.app_id and u.user_no = e.user_no
    left join installations i on i.app_id = e.app_id and i.installation_no = e.installation_no
    order by e.id`)
  return rows.map((row) => ({ us: timeOfId(row.id).getTime() * 1000, key: row.id, fields: eventAnswer(row) }))
}

/** Ids have milliseconds. */
function firstIdFrom(us: number): string {
  return firstIdAt(Math.ceil(us / 1000))
}
