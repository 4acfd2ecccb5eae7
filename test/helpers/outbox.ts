import { randomUUID } from 'node:crypto'
import { type WebhookEvent, webhookEvents } from '@peyk/contract'
import type { Context } from '@peyk/server/base/context.ts'
import { forgetInterests } from '@peyk/server/features/outbox/outbox.ts'
import sql from 'sql-template-tag'

/** A webhook of the app that wants to know these, or everything; nobody calls it. */
export async function listenTo(ctx: Context, events: readonly WebhookEvent[] = webhookEvents): Promise<void> {
  await ctx.store.query(sql`
    insert into webhooks (app_id, webhook_id, url, sealed_secret, events)
    values (${ctx.app.id}, ${randomUUID()}, 'https://example.com', '', ${[...events]})`)
  forgetInterests(ctx.store)
}

/** What was left for it, in order. */
export function readOutbox(ctx: Context) {
  return ctx.store.query<{ kind: WebhookEvent; body: Record<string, unknown> }>(
    sql`select kind, body from outbox where app_id = ${ctx.app.id} order by event_no`,
  )
}
