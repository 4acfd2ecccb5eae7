import type { getUsage, QueryOf, Usage } from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { readQuotaStates } from '../../accounts/quotas/read-quota-states.ts'
import { readStorage } from './read-storage.ts'
import { shownQuotas } from './shown-quotas.ts'
import { readInstallations, readMonthActive, readProviderCounts, readUsageDays } from './usage-store.ts'

/** What an app uses in a month, and how much of its quotas is left. */
export async function readUsage(
  ctx: Pick<Context, 'app' | 'store' | 'tx' | 'now'>,
  { month = ctx.now().toISOString().slice(0, 7) }: QueryOf<typeof getUsage>,
): Promise<Usage> {
  const from = `${month}-01`
  const days = await readUsageDays(ctx, from)
  const [installations, activeInstallations, providers] = [
    await readInstallations(ctx),
    await readMonthActive(ctx, from),
    await readProviderCounts(ctx, from),
  ]
  const state = (await readQuotaStates(db(ctx))).get(ctx.app.id)
  const sum = (read: (day: Usage['days'][number]) => number) => days.reduce((total, day) => total + read(day), 0)
  return {
    month,
    total: {
      messages: sum((day) => day.messages),
      deliveries: sum((day) => day.deliveries),
      sent: sum((day) => day.sent),
      events: sum((day) => day.events),
      sms: sum((day) => day.sms),
      newInstallations: sum((day) => day.newInstallations),
      // A job counts the month hourly, but each day is counted at once: a month must not be below any of its days.
      activeInstallations: days.reduce((most, day) => Math.max(most, day.activeInstallations), activeInstallations),
      peakConnections: days.reduce((most, day) => Math.max(most, day.peakConnections), 0),
    },
    installations,
    providers,
    storage: await readStorage(ctx, installations),
    quotas: state ? shownQuotas(state) : [],
    days,
  }
}
