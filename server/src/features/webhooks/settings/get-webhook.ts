import type { Context } from '#base/context.ts'
import { type Webhook, webhookAnswer } from './webhook.ts'
import { getWebhookRow } from './webhooks-store.ts'

export async function getWebhook(ctx: Context, { id }: { id: string }): Promise<Webhook> {
  return webhookAnswer(await getWebhookRow(ctx, id))
}
