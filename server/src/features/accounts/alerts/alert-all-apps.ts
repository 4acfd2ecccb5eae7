import type { Context } from '../../base/context.ts'
import { type NewAlert, raiseAlert } from '../accounts/alerts/raise-alert.ts'
import { settleAlert } from '../accounts/alerts/settle-alert.ts'
import { listApps } from '../accounts/apps/list-apps.ts'

type Services = Pick<Context, 'store' | 'now' | 'log'>

/** What concerns the whole service, its operators see in every app. */
export async function alertAllApps(services: Services, alert: NewAlert): Promise<void> {
  for (const app of await listApps(services)) await raiseAlert({ ...services, app }, alert)
}

export async function settleInAllApps(
  services: Services,
  { kind, subject = '' }: Pick<NewAlert, 'kind' | 'subject'>,
): Promise<void> {
  for (const app of await listApps(services)) await settleAlert({ ...services, app }, { kinds: [kind], subject })
}
