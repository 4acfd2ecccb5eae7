import type { AnswerOf, webhookAttempts as contract, QueryOf, WebhookAttempt } from '@peyk/contract'
import sql, { empty } from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { readTimeAndIdCursor, writeTimeCursor } from '#base/page-cursor.ts'
import { getWebhookRow } from '../settings/webhooks-store.ts'

interface Row {
  /** In whole milliseconds. */
  attempted_at: Date
  event_id: string
  kind: string
  status: number | null
  detail: string
  took_ms: number
}

const defaultLimit = 100

export async function listWebhookAttempts(
  ctx: Context,
  input: QueryOf<typeof contract> & { id: string },
): Promise<AnswerOf<typeof contract>> {
  const { limit = defaultLimit } = input
  const after = readTimeAndIdCursor(input.cursor)
  const { webhook_id } = await getWebhookRow(ctx, input.id)
  const rows = await db(ctx).query<Row>(sql`
    select attempted_at, event_id, kind, status, detail, took_ms from webhook_attempts
    where app_id = ${ctx.app.id} and webhook_id = ${webhook_id}
      ${after ? sql`and (attempted_at, event_id) < (${new Date(after.time)}, ${after.name}::uuid)` : empty}
    order by attempted_at desc, event_id desc limit ${limit + 1}`)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const cursor = last && writeTimeCursor({ time: last.attempted_at.getTime(), name: last.event_id })
  return { data: page.map(show), ...(rows.length > limit && cursor !== undefined && { cursor }) }
}

function show(row: Row): WebhookAttempt {
  return {
    at: row.attempted_at.getTime(),
    eventId: row.event_id,
    type: row.kind,
    ...(row.status !== null && { status: row.status }),
    detail: row.detail,
    tookMs: row.took_ms,
  }
}
