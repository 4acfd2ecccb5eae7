import type { AnswerOf, getWebhook, WebhookEvent } from '@peyk/contract'

export interface WebhookRow {
  webhook_id: string
  url: string
  events: WebhookEvent[]
  created_at: Date
  failing_since: Date | null
  disabled_at: Date | null
  disabled_reason: string | null
  waiting: number
  retry_at: Date | null
}

export type Webhook = AnswerOf<typeof getWebhook>

export function webhookAnswer(row: WebhookRow): Webhook {
  return {
    id: row.webhook_id,
    url: row.url,
    events: row.events,
    createdAt: row.created_at.getTime(),
    isEnabled: row.disabled_at === null,
    ...(row.disabled_reason !== null && { disabledReason: row.disabled_reason }),
    ...(row.failing_since && { failingSince: row.failing_since.getTime() }),
    waiting: row.waiting,
    ...(row.retry_at && { retryAt: row.retry_at.getTime() }),
  }
}
