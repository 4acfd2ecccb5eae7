import sql, { raw } from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { isUuid } from '#base/ids.ts'
import type { WebhookRow } from './webhook.ts'

/** Of webhooks w. */
const columns = raw(`webhook_id, url, events, created_at, failing_since, disabled_at, disabled_reason,
  (select count(*) from webhook_calls c
   where c.app_id = w.app_id and c.webhook_id = w.webhook_id and c.state = 'waiting') as waiting,
  (select min(available_at) from webhook_calls c
   where c.app_id = w.app_id and c.webhook_id = w.webhook_id and c.state = 'waiting' and c.attempts > 0) as retry_at`)

export function readWebhooks(ctx: Context): Promise<WebhookRow[]> {
  return db(ctx).query<WebhookRow>(
    sql`select ${columns} from webhooks w where app_id = ${ctx.app.id} order by created_at, webhook_id`,
  )
}

export async function getWebhookRow(ctx: Context, id: string): Promise<WebhookRow> {
  const [row] = isUuid(id)
    ? await db(ctx).query<WebhookRow>(
        sql`select ${columns} from webhooks w where app_id = ${ctx.app.id} and webhook_id = ${id}`,
      )
    : []
  if (!row) throw unknownWebhook(id)
  return row
}

export function unknownWebhook(id: string): RequestError {
  return new RequestError('not-found', `No webhook has the id "${id.slice(0, 64)}".`)
}
