import sql from 'sql-template-tag'
import { type Context, inTransaction } from '#base/context.ts'
import { settleAlert } from '../../accounts/alerts/settle-alert.ts'
import { forgetInterests } from '../../outbox/outbox.ts'
import { getWebhookRow } from './webhooks-store.ts'

export async function deleteWebhook(ctx: Context, { id }: { id: string }): Promise<{ id: string; url: string }> {
  const deleted = await inTransaction(ctx, async (tx) => {
    const inner = { ...ctx, tx }
    const { webhook_id, url } = await getWebhookRow(inner, id)
    const own = sql`where app_id = ${ctx.app.id} and webhook_id = ${webhook_id}`
    await tx.query(sql`delete from webhooks ${own}`)
    await tx.query(sql`delete from webhook_calls ${own}`)
    await tx.query(sql`delete from webhook_attempts ${own}`)
    await settleAlert(inner, { kinds: ['webhook-disabled'], subject: webhook_id })
    return { id: webhook_id, url }
  })
  forgetInterests(ctx.store)
  return deleted
}
