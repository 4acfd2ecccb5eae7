import type { BodyOf, replaceWebhook as contract } from '@peyk/contract'
import sql from 'sql-template-tag'
import { db, type OutwardContext, settle } from '#base/context.ts'
import { forgetInterests } from '../../outbox/outbox.ts'
import { checkWebhookUrl } from './check-webhook-url.ts'
import { type Webhook, webhookAnswer } from './webhook.ts'
import { getWebhookRow } from './webhooks-store.ts'

export async function replaceWebhook(
  ctx: OutwardContext,
  input: BodyOf<typeof contract> & { id: string },
): Promise<Webhook> {
  const { webhook_id } = await getWebhookRow(ctx, input.id)
  await checkWebhookUrl(ctx.external, input.url)
  const answer = await settle(ctx, async (inner) => {
    await db(inner).query(sql`
      update webhooks set url = ${input.url}, events = ${[...new Set(input.events)]}, failing_since = null
      where app_id = ${ctx.app.id} and webhook_id = ${webhook_id}`)
    return webhookAnswer(await getWebhookRow(inner, webhook_id))
  })
  forgetInterests(ctx.store)
  return answer
}
