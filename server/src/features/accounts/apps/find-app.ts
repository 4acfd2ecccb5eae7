import sql from 'sql-template-tag'
import { db } from '#base/context.ts'
import type { AccountsContext } from '../accounts-context.ts'
import { type App, type AppRow, readApp } from './app.ts'

export async function findApp(ctx: AccountsContext, input: { label: string }): Promise<App | undefined> {
  const [row] = await db(ctx).query<AppRow>(sql`
    select app_id, label, name, settings, created_at from apps where label = ${input.label}`)
  return row && readApp(row)
}
