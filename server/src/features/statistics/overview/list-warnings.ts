import type { Warning } from '@peyk/contract'
import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import { listAlerts } from '../../accounts/alerts/list-alerts.ts'
import { listProviders } from '../../accounts/providers/list-providers.ts'
import { countWaitingFor } from '../../composer/approvals/count-waiting.ts'
import { listTroubles } from '../../deliveries/progress/read-troubles.ts'
import { listHeldUninstalls } from '../../deliveries/token-checks/list-held-uninstalls.ts'
import { listWebhooks } from '../../webhooks/settings/list-webhooks.ts'
import { readPromoSets } from '../promo/promo-sets.ts'
import { findUnservedProviders } from './find-unserved-providers.ts'

/** Told by how things stand, so that they are there even when somebody cleared the alert. */
const toldOtherwise = new Set(['provider-paused', 'mass-invalidation', 'promo-low'])

/** So long a provider or a webhook may take nothing before a person should know. */
const failingMs = 2 * 60_000

/** What needs a person, the most pressing first. */
export async function listWarnings(ctx: Context): Promise<Warning[]> {
  const before = new Date(ctx.now().getTime() - failingMs)
  const [providers, unserved, troubles, webhooks, held, sets, alerts, approvals] = await Promise.all([
    listProviders(ctx),
    findUnservedProviders(ctx),
    listTroubles(ctx, { before }),
    listWebhooks(ctx),
    listHeldUninstalls(ctx),
    readPromoSets(
      ctx,
      sql`s.codes - s.already_used - s.given < greatest(100, s.codes / 10) and (s.given > 0 or s.codes <= s.already_used)`,
    ),
    listAlerts(ctx),
    countWaitingFor(ctx),
  ])
  return [
    ...providers.flatMap(({ provider, paused, check }): Warning[] => {
      if (paused) return [{ kind: 'provider-paused', provider, ...paused }]
      return check?.result === 'refused' ? [{ kind: 'credentials-refused', provider, at: check.at }] : []
    }),
    ...unserved.map((provider): Warning => ({ kind: 'credentials-missing', provider })),
    ...troubles.map((trouble): Warning => ({ kind: 'provider-failing', ...trouble })),
    ...webhooks.flatMap(({ id, url, isEnabled, failingSince: since, waiting }): Warning[] =>
      isEnabled && since !== undefined && since < before.getTime()
        ? [{ kind: 'webhook-failing', webhookId: id, host: new URL(url).host, since, waiting }]
        : [],
    ),
    ...held.map(({ provider, count, since }): Warning => ({ kind: 'uninstalls-held', provider, count, at: since })),
    ...(approvals > 0 ? [{ kind: 'approvals', count: approvals } as const] : []),
    ...alerts.filter(({ kind }) => !toldOtherwise.has(kind)).map((alert): Warning => ({ kind: 'alert', alert })),
    ...sets
      .filter(({ set }) => set.isLow)
      .map(
        ({ set }): Warning => ({
          kind: 'promo-low',
          trackId: set.trackId ?? '',
          left: set.left,
          codes: set.codes - set.alreadyUsed,
        }),
      ),
  ]
}
