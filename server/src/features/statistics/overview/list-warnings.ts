import type { Warning } from '@peyk/contract'
import sql from 'sql-template-tag'
import type { Context } from '../../../base/context.ts'
import { listAlerts } from '../../accounts/alerts/list-alerts.ts'
import { listProviders } from '../../accounts/providers/list-providers.ts'
import { listHeldUninstalls } from '../../deliveries/token-checks/list-held-uninstalls.ts'
import { readPromoSets } from '../promo/promo-sets.ts'

/** Told by how things stand, so that they are there even when somebody cleared the alert. */
const toldOtherwise = new Set(['provider-paused', 'mass-invalidation', 'promo-low'])

/** What needs a person, the most pressing first. */
export async function listWarnings(ctx: Context): Promise<Warning[]> {
  const [providers, held, sets, alerts] = await Promise.all([
    listProviders(ctx),
    listHeldUninstalls(ctx),
    readPromoSets(
      ctx,
      sql`s.codes - s.already_used - s.given < greatest(100, s.codes / 10) and (s.given > 0 or s.codes <= s.already_used)`,
    ),
    listAlerts(ctx),
  ])
  return [
    ...providers.flatMap(({ provider, paused }): Warning[] =>
      paused ? [{ kind: 'provider-paused', provider, ...paused }] : [],
    ),
    ...held.map(({ provider, count, since }): Warning => ({ kind: 'uninstalls-held', provider, count, at: since })),
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
