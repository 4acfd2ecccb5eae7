import type { BodyOf, createWebhook as contract } from '@peyk/contract'
import sql from 'sql-template-tag'
import { db, type OutwardContext, settle } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { nextId } from '#base/ids.ts'
import { forgetInterests } from '../../outbox/outbox.ts'
import { checkWebhookUrl } from './check-webhook-url.ts'
import { type Webhook, webhookAnswer } from './webhook.ts'
import { makeWebhookSecret } from './webhook-secret.ts'
import { getWebhookRow } from './webhooks-store.ts'

const maxWebhooks = 50

/** The secret is answered here and nowhere else. */
export async function createWebhook(
  ctx: OutwardContext,
  input: BodyOf<typeof contract>,
): Promise<Webhook & { secret: string }> {
  await checkWebhookUrl(ctx.external, input.url)
  const id = nextId(ctx.now)
  const secret = makeWebhookSecret()
  const answer = await settle(ctx, async (inner) => {
    const made = await db(inner).query(sql`
      insert into webhooks (app_id, webhook_id, url, sealed_secret, events, created_at)
      select ${ctx.app.id}, ${id}, ${input.url}, ${ctx.external.secretBox.seal(secret)}, ${[...new Set(input.events)]}, ${ctx.now()}
      where (select count(*) from webhooks where app_id = ${ctx.app.id}) < ${maxWebhooks}
      returning 1`)
    if (made.length === 0) {
      throw new RequestError('invalid-request', `An app has at most ${maxWebhooks} webhooks; delete one first.`)
    }
    return { ...webhookAnswer(await getWebhookRow(inner, id)), secret }
  })
  forgetInterests(ctx.store)
  return answer
}
