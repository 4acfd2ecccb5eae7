import type { Context } from '#base/context.ts'
import { type Webhook, webhookAnswer } from './webhook.ts'
import { readWebhooks } from './webhooks-store.ts'

export async function listWebhooks(ctx: Context): Promise<Webhook[]> {
  return (await readWebhooks(ctx)).map(webhookAnswer)
}
