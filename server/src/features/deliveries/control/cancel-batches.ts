import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'

/** Batches that somebody is sending at this moment are left to them. */
export async function cancelBatches(ctx: Context, messageId: string): Promise<void> {
  await db(ctx).query(sql`
    update delivery_batches set state = 'cancelled'
    where app_id = ${ctx.app.id} and message_id = ${messageId} and state in ('queued', 'paused')
      and (lease_holder is null or available_at < peyk_now())`)
}
