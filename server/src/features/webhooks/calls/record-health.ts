import sql, { raw } from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'

export interface WebhookHealth {
  appId: number
  webhookId: string
  hasSucceeded: boolean
  /** A call was made for a day in vain. */
  hasGivenUp: boolean
}

const isDead = raw(`not h.has_succeeded and h.has_given_up and w.failing_since < peyk_now() - interval '1 day'`)

/** Notes since when webhooks fail, and disables those that gave up a call after a day without a success; answers those. */
export function recordHealth(tx: Transaction, healths: readonly WebhookHealth[], reason: string) {
  return tx.query<{ app_id: number; webhook_id: string; label: string; url: string }>(
    sql`with h as (
          select w.app_id, w.webhook_id, h.has_succeeded, h.has_given_up
          from ${unnestRows(healths, 'h', {
            app_id: ['int', (each) => each.appId],
            webhook_id: ['uuid', (each) => each.webhookId],
            has_succeeded: ['boolean', (each) => each.hasSucceeded],
            has_given_up: ['boolean', (each) => each.hasGivenUp],
          })}
          join webhooks w on w.app_id = h.app_id and w.webhook_id = h.webhook_id
          where w.disabled_at is null and ((w.failing_since is null) <> h.has_succeeded or h.has_given_up)
          order by w.app_id, w.webhook_id for update of w
        ), noted as (
          update webhooks w
          set failing_since = case when h.has_succeeded then null else coalesce(w.failing_since, peyk_now()) end,
            disabled_at = case when ${isDead} then peyk_now() end,
            disabled_reason = case when ${isDead} then ${reason} end
          from h
          where w.app_id = h.app_id and w.webhook_id = h.webhook_id
          returning w.app_id, w.webhook_id, w.url, w.disabled_at
        )
        select n.app_id, n.webhook_id, n.url, a.label from noted n join apps a on a.app_id = n.app_id
        where n.disabled_at is not null`,
    'record-webhook-health',
  )
}
