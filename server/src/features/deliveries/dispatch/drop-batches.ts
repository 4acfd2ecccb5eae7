import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'

/** Takes a message out of the work-list: what becomes of it is told otherwise. */
export async function dropBatches(ctx: Context, messageId: string): Promise<void> {
  await db(ctx).query(sql`delete from delivery_batches where app_id = ${ctx.app.id} and message_id = ${messageId}`)
}
