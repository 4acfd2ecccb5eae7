import sql from 'sql-template-tag'
import { db } from '#base/context.ts'
import type { AccountsContext } from '../accounts-context.ts'

export async function hasAnyMember(ctx: AccountsContext): Promise<boolean> {
  return (await db(ctx).query(sql`select 1 from member_apps limit 1`)).length > 0
}
