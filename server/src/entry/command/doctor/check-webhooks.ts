import type { Context } from '#base/context.ts'
import { listWebhooks } from '#features/webhooks/settings/list-webhooks.ts'
import type { Webhook } from '#features/webhooks/settings/webhook.ts'
import { countOf } from '../backup/progress-lines.ts'
import { formatMinute } from '../print.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

/** Those of one app. */
export async function checkWebhooks(ctx: Context): Promise<Finding[]> {
  return (await listWebhooks(ctx)).map((webhook) => judgeWebhook(ctx.app.label, webhook))
}

/** An address may have a secret in its path: only its host is told. */
export function judgeWebhook(label: string, webhook: Webhook): Finding {
  const name = `The webhook ${webhook.id} of the app ${label} (${URL.parse(webhook.url)?.host ?? 'no host'})`
  const waiting = `${countOf(webhook.waiting, 'call')} ${webhook.waiting === 1 ? 'waits' : 'wait'}`
  if (!webhook.isEnabled)
    return fault(
      'webhook-disabled',
      `${name} is disabled: ${webhook.disabledReason ?? 'it failed for too long.'}`,
      'Repair its receiver, then enable it in the panel (Settings, Webhooks). See docs/guides/webhooks.md.',
    )
  if (webhook.failingSince !== undefined)
    return warning(
      'webhook-failing',
      `${name} has failed since ${formatMinute(new Date(webhook.failingSince))}; ${waiting}.`,
      'See its last attempts in the panel (Settings, Webhooks). After a day without a success it is disabled.',
    )
  return ok('webhook', `${webhook.id} of ${label}: ${waiting}`)
}
