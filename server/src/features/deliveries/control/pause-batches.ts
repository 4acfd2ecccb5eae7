import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'

/** Batches that somebody is sending at this moment are left to them. */
export async function pauseBatches(ctx: Context, messageId: string): Promise<void> {
  await db(ctx).query(sql`
    update delivery_batches b set state = 'paused'
    where app_id = ${ctx.app.id} and message_id = ${messageId} and state = 'queued'
      and (lease_holder is null or available_at < peyk_now())
      and exists (select from messages m where m.app_id = b.app_id and m.id = b.message_id and m.paused_at is not null)`)
}
