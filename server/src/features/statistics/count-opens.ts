import type { MessageOpens } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '../../base/context.ts'
import { getMessageRow } from '../messages/get-message-row.ts'
import { foldOpens } from './opens/fold-opens.ts'

/** When a message was opened: by hour at first, and by day. */
export async function countOpens(ctx: Context, { id }: { id: string }): Promise<MessageOpens> {
  const message = await getMessageRow(ctx, id)
  const rows = await db(ctx).query<{ at: number; opened: number; acted: number }>(
    sql`select (extract(epoch from hour) * 1000)::bigint as at, opened, acted
        from (
          select date_bin('1 hour', happened_at, 'epoch') as hour,
            count(*) filter (where kind = 'opened') as opened, count(*) filter (where kind = 'acted') as acted
          from receipts
          where app_id = ${ctx.app.id} and message_id = ${message.id} and kind in ('opened', 'acted')
          group by 1
        ) hours
        order by 1`,
    'count-opens',
  )
  return foldOpens(rows, message.accepted_at, ctx.now())
}
