import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'

/** In the transaction that cancels a message: the promo codes of users whom nothing was handed to are to go back. */
export async function queueCodeReturns(ctx: Context, messageId: string): Promise<void> {
  await db(ctx).query(sql`
    insert into code_returns (app_id, message_id) values (${ctx.app.id}, ${messageId}) on conflict do nothing`)
}
