import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'

/** How many installations are in batches that a process has taken, and have no result. */
export async function countInFlight(ctx: Context, messageId: string): Promise<number> {
  const [row] = await db(ctx).query<{ count: number }>(
    sql`select count(*) as count
        from delivery_batches b cross join lateral unnest(b.installation_nos) as listed(installation_no)
        where b.app_id = ${ctx.app.id} and b.message_id = ${messageId} and b.state = 'queued'
          and b.lease_holder is not null and b.available_at > peyk_now()
          and not exists (
            select from deliveries d
            where d.app_id = b.app_id and d.message_id = b.message_id and d.installation_no = listed.installation_no)`,
    'count-in-flight',
  )
  return row?.count ?? 0
}
