import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { raiseAlert } from '../alerts/raise-alert.ts'
import {
  providerTitles,
  readStoredProvider,
  type StoredProvider,
  type StoredProviderRow,
  unreadable,
} from './stored-provider.ts'

/** Those of many apps at once, for who sends. What cannot be opened counts as paused, and the operator is told. */
export async function listCredentials(
  ctx: Pick<Context, 'store' | 'tx' | 'now' | 'log' | 'external'>,
  { appIds }: { appIds: readonly number[] },
): Promise<StoredProvider[]> {
  const rows = await db(ctx).query<StoredProviderRow & { label: string }>(
    sql`select c.app_id, a.label, c.provider, c.sealed, md5(c.sealed) as version, c.is_simulated, c.set_at, c.paused_at,
          c.paused_reason
        from provider_credentials c join apps a using (app_id)
        where c.app_id = any(${appIds}::integer[]) order by c.app_id, c.provider`,
    'list-credentials',
  )
  const all: StoredProvider[] = []
  for (const row of rows) {
    const { stored, isUnreadable } = readStoredProvider(row, ctx.external)
    all.push(stored)
    if (!isUnreadable) continue
    const text = `Nothing goes out by ${providerTitles[row.provider]}: ${unreadable}`
    const app = { id: row.app_id, label: row.label }
    await raiseAlert({ ...ctx, app }, { kind: 'credentials-unreadable', subject: row.provider, text })
  }
  return all
}
