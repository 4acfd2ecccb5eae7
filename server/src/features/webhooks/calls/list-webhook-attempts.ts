import type { webhookAttempts as contract, QueryOf } from '@peyk/contract'
import sql, { empty } from 'sql-template-tag'
import { type Context, db } from '../../../base/context.ts'
import { getWebhookRow } from '../settings/webhooks-store.ts'
import { type AttemptPlace, readAttemptCursor, writeAttemptCursor } from './attempt-cursor.ts'

export interface WebhookAttempt {
  at: number
  eventId: string
  type: string
  status?: number
  detail: string
  tookMs: number
}

interface Row extends AttemptPlace {
  kind: string
  status: number | null
  detail: string
  took_ms: number
}

const defaultLimit = 100

export async function listWebhookAttempts(
  ctx: Context,
  input: QueryOf<typeof contract> & { id: string },
): Promise<{ data: WebhookAttempt[]; cursor?: string }> {
  const { limit = defaultLimit } = input
  const after = input.cursor === undefined ? undefined : readAttemptCursor(input.cursor)
  const { webhook_id } = await getWebhookRow(ctx, input.id)
  const rows = await db(ctx).query<Row>(sql`
    select attempted_at, event_id, kind, status, detail, took_ms from webhook_attempts
    where app_id = ${ctx.app.id} and webhook_id = ${webhook_id}
      ${after ? sql`and (attempted_at, event_id) < (${after.attempted_at}, ${after.event_id}::uuid)` : empty}
    order by attempted_at desc, event_id desc limit ${limit + 1}`)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { data: page.map(show), ...(rows.length > limit && last && { cursor: writeAttemptCursor(last) }) }
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
