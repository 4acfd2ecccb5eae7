import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import { listApps } from '../apps/list-apps.ts'
import { type NewAlert, raiseAlert } from './raise-alert.ts'

type Services = Pick<Context, 'store' | 'now' | 'log'>

/** Raises an alert about the whole service in every app, because that is where operators look. */
export async function alertAllApps(services: Services, alert: NewAlert): Promise<void> {
  for (const app of await listApps(services)) await raiseAlert({ ...services, app }, alert)
}

export async function settleInAllApps(
  { store, now }: Pick<Services, 'store' | 'now'>,
  { kind, subjects = [''] }: Pick<NewAlert, 'kind'> & { subjects?: readonly string[] },
): Promise<void> {
  await store.query(sql`
    update alerts set cleared_at = ${now()}
    where kind = ${kind} and subject = any(${[...subjects]}) and cleared_at is null`)
}
