import type { Logger } from '#base/log.ts'
import type { Store } from '#base/store/store.ts'
import { raiseAlert } from '../../accounts/alerts/raise-alert.ts'
import { forgetInterests } from '../../outbox/outbox.ts'
import { endCalls, logAttempts, type SettledCall } from './calls-store.ts'
import { recordHealth, type WebhookHealth } from './record-health.ts'

const reason = 'No call has succeeded for a day.'

/** Writes what came of calls: their states, the log, and what that says of the webhooks. */
export async function settleCalls(
  context: { store: Store; log: Logger; now(): Date },
  holder: string,
  calls: readonly SettledCall[],
): Promise<void> {
  const disabled = await context.store.transaction(async (tx) => {
    await logAttempts(tx, calls)
    const ended = await endCalls(tx, holder, calls)
    const healths = new Map<string, WebhookHealth>()
    for (const { app_id, webhook_id, state } of ended) {
      const key = `${app_id}/${webhook_id}`
      const health = healths.get(key) ?? {
        appId: app_id,
        webhookId: webhook_id,
        hasSucceeded: false,
        hasGivenUp: false,
      }
      if (state === 'done') health.hasSucceeded = true
      if (state === 'failed') health.hasGivenUp = true
      healths.set(key, health)
    }
    if (healths.size === 0) return 0
    const dead = await recordHealth(tx, [...healths.values()], reason)
    for (const { app_id, label, webhook_id, url } of dead) {
      await raiseAlert(
        { ...context, tx, app: { id: app_id, label } },
        {
          kind: 'webhook-disabled',
          subject: webhook_id,
          text: `The webhook to ${new URL(url).host} has failed for a day and is not called any more. Mend the receiver, then enable the webhook.`,
          details: { webhookId: webhook_id, host: new URL(url).host },
        },
      )
    }
    return dead.length
  })
  if (disabled > 0) forgetInterests(context.store)
}
