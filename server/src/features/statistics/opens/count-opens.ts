import type { MessageOpens } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '../../../base/context.ts'
import { getMessageRow } from '../../messages/stored/get-message-row.ts'
import { sumOpens } from './sum-opens.ts'

/** When a message was opened: by hour at first, and by day. From one hour to the next that has any, in the index. */
export async function countOpens(ctx: Context, { id }: { id: string }): Promise<MessageOpens> {
  const message = await getMessageRow(ctx, id)
  const opens = sql`from receipts where app_id = ${ctx.app.id} and message_id = ${message.id} and kind in ('opened', 'acted')`
  const firstHour = sql`select date_bin('1 hour', min(happened_at), 'epoch') ${opens}`
  const rows = await db(ctx).query<{ at: number; opened: number; acted: number }>(
    sql`with recursive hours(hour) as (
          (${firstHour})
          union all
          select (${firstHour} and happened_at >= h.hour + interval '1 hour') from hours h where h.hour is not null
        )
        select (extract(epoch from hour) * 1000)::bigint as at, counted.opened, counted.acted
        from hours cross join lateral (
          select count(*) filter (where kind = 'opened') as opened, count(*) filter (where kind = 'acted') as acted
          ${opens} and happened_at >= hour and happened_at < hour + interval '1 hour'
        ) counted
        where hour is not null order by 1`,
    'count-opens',
  )
  return sumOpens(rows, message.accepted_at, ctx.now())
}
