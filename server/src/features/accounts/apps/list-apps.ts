import sql from 'sql-template-tag'
import { db } from '#base/context.ts'
import type { AccountsContext } from '../accounts-context.ts'
import { type App, type AppRow, readApp } from './app.ts'

export async function listApps(ctx: AccountsContext): Promise<App[]> {
  const rows = await db(ctx).query<AppRow>(
    sql`select app_id, label, name, settings, created_at from apps order by label`,
  )
  return rows.map(readApp)
}
