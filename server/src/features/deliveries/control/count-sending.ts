import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { isHeldBack } from '../fallback/fallback-store.ts'

const mostCounted = 100_000
const isHeld = sql`(b.lease_holder is not null and b.available_at > peyk_now())`

interface Row {
  batches: number
  messages: number
  listed: number
  unlisted: number
  in_flight: number
  sms: number
}

/**
 * What is still to be sent, as far as nobody paused it: messages and installations in the work-list, of these the ones that
 * a process has and no result is known of, and SMS. Of an audience that is still to be cut, what is not cut yet counts.
 */
export async function countSending(ctx: Pick<Context, 'app' | 'store' | 'tx'>) {
  const [row] = await db(ctx).query<Row>(
    sql`with b as materialized (
          select message_id, cardinality(installation_nos) as listed, audience_id, coalesce(expanded_up_to, 0) as up_to, ${isHeld} as is_held
          from delivery_batches b where app_id = ${ctx.app.id} and state = 'queued' limit ${mostCounted}::int
        )
        select count(*) as batches, count(distinct message_id) as messages,
          coalesce(sum(listed) filter (where not is_held), 0)::bigint as listed,
          (select coalesce(sum(p.count), 0)::bigint from b
           join audience_parts p on p.app_id = ${ctx.app.id} and p.audience_id = b.audience_id and p.up_to > b.up_to) as unlisted,
          (select count(*) from delivery_batches b cross join lateral unnest(b.installation_nos) as held(number)
           where b.app_id = ${ctx.app.id} and b.state = 'queued' and ${isHeld} and not exists (
             select from deliveries d
             where d.app_id = b.app_id and d.message_id = b.message_id and d.installation_no = held.number)) as in_flight,
          (select count(*) from (
             select from sms_fallbacks f
             where app_id = ${ctx.app.id} and state = 'waiting' and not ${isHeldBack} limit ${mostCounted}::int) s) as sms
        from b`,
    'count-sending',
  )
  const { batches, messages, listed, unlisted, in_flight: inFlight, sms } = row as Row
  const isMore = batches >= mostCounted || sms >= mostCounted
  return { messages, devices: listed + unlisted, inFlight, sms, ...(isMore && { more: true as const }) }
}
