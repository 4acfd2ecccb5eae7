import type * as contract from '@peyk/contract'
import sql from 'sql-template-tag'
import { db, type OutwardContext, settle } from '#base/context.ts'
import { timeOrderedId } from '#base/ids.ts'
import { getWebhookRow } from '../settings/webhooks-store.ts'
import { callWebhook } from './call-webhook.ts'
import { logAttempts } from './calls-store.ts'

export type WebhookTest = contract.AnswerOf<typeof contract.testWebhook>

export async function testWebhook(ctx: OutwardContext, { id }: { id: string }): Promise<WebhookTest> {
  const { webhook_id, url } = await getWebhookRow(ctx, id)
  const [row] = await ctx.store.query<{ sealed_secret: Buffer }>(
    sql`select sealed_secret from webhooks where app_id = ${ctx.app.id} and webhook_id = ${webhook_id}`,
  )
  const at = ctx.now()
  const event = { id: timeOrderedId(at), type: 'ping', at, appLabel: ctx.app.label, data: { webhookId: webhook_id } }
  const result = await callWebhook(ctx, { url, sealedSecret: row?.sealed_secret as Buffer }, event)
  const { isSuccess, status, detail, tookMs } = result
  const attempt = { appId: ctx.app.id, webhookId: webhook_id, at, eventId: event.id, kind: event.type, status, detail }
  return settle(ctx, async (inner) => {
    await logAttempts(db(inner), [{ ...attempt, tookMs }])
    return { isSuccess, ...(status !== undefined && { status }), detail, tookMs }
  })
}
