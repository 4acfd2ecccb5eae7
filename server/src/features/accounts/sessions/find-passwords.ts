import sql from 'sql-template-tag'
import { db } from '#base/context.ts'
import type { AccountsContext } from '../accounts-context.ts'

export interface AppPassword {
  appId: number
  passwordHash: string
}

/** What opens each app of a member: a password of its own, or for members of earlier versions that of the account. */
export async function findPasswords(ctx: AccountsContext, input: { memberId: string }): Promise<AppPassword[]> {
  const rows = await db(ctx).query<{ app_id: number; password_hash: string }>(sql`
    select a.app_id, coalesce(a.password_hash, m.password_hash) as password_hash
    from member_apps a join members m using (member_id) where m.member_id = ${input.memberId} order by a.app_id`)
  return rows.map((row) => ({ appId: row.app_id, passwordHash: row.password_hash }))
}
