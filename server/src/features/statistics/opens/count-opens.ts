import type { MessageOpens } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import type { MessageRow } from '../../messages/stored/message-answer.ts'
import { sumOpens } from './sum-opens.ts'

/**
 * Counts opens by hour at first, and by day. Each device counts once, in its first hour, by the state of its delivery.
 * The sum matches the funnel, except for devices whose receipts were deleted with their user.
 */
export async function countOpens(ctx: Context, message: Pick<MessageRow, 'id' | 'accepted_at'>): Promise<MessageOpens> {
  const rows = await db(ctx).query<{ at: number; opened: number; acted: number }>(
    sql`select (extract(epoch from date_bin('1 hour', first_at, 'epoch')) * 1000)::bigint as at,
          count(*) filter (where state = 'opened') as opened, count(*) filter (where state = 'acted') as acted
        from (
          select d.state, min(r.happened_at) as first_at
          from receipts r
          join deliveries d on d.app_id = r.app_id and d.message_id = r.message_id and d.installation_no = r.installation_no
          where r.app_id = ${ctx.app.id} and r.message_id = ${message.id} and r.kind in ('opened', 'acted')
            and d.state in ('opened', 'acted')
          group by d.installation_no, d.state
        ) opened
        group by 1 order by 1`,
    'count-opens',
  )
  return sumOpens(rows, message.accepted_at, ctx.now())
}
