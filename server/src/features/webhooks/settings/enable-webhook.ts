import sql from 'sql-template-tag'
import { type Context, inTransaction } from '#base/context.ts'
import { settleAlert } from '../../accounts/alerts/settle-alert.ts'
import { forgetInterests } from '../../outbox/outbox.ts'
import { type Webhook, webhookAnswer } from './webhook.ts'
import { getWebhookRow } from './webhooks-store.ts'

/** What still waits is called at once, not when its turn would have come. */
export async function enableWebhook(ctx: Context, { id }: { id: string }): Promise<Webhook> {
  const webhook = await inTransaction(ctx, async (tx) => {
    const inner = { ...ctx, tx }
    const { webhook_id } = await getWebhookRow(inner, id)
    await tx.query(sql`
      update webhooks set disabled_at = null, disabled_reason = null, failing_since = null
      where app_id = ${ctx.app.id} and webhook_id = ${webhook_id}`)
    await tx.query(sql`
      update webhook_calls set available_at = peyk_now()
      where app_id = ${ctx.app.id} and webhook_id = ${webhook_id} and state = 'waiting' and lease_holder is null`)
    await settleAlert(inner, { kinds: ['webhook-disabled'], subject: webhook_id })
    return webhookAnswer(await getWebhookRow(inner, webhook_id))
  })
  forgetInterests(ctx.store)
  return webhook
}
