import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { makeWebhookSecret } from './webhook-secret.ts'
import { getWebhookRow } from './webhooks-store.ts'

export async function replaceWebhookSecret(
  ctx: Context,
  { id }: { id: string },
): Promise<{ id: string; url: string; secret: string }> {
  const { webhook_id, url } = await getWebhookRow(ctx, id)
  const secret = makeWebhookSecret()
  await db(ctx).query(sql`
    update webhooks set sealed_secret = ${ctx.external.secretBox.seal(secret)}
    where app_id = ${ctx.app.id} and webhook_id = ${webhook_id}`)
  return { id: webhook_id, url, secret }
}
