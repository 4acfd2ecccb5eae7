import sql from 'sql-template-tag'
import { db } from '#base/context.ts'
import type { AccountsContext } from '../accounts-context.ts'

export interface Member {
  id: string
  email: string
  passwordHash: string
}

/** Of any app. */
export async function findMember(ctx: AccountsContext, input: { email: string }): Promise<Member | undefined> {
  const email = input.email.trim().toLowerCase()
  const [row] = await db(ctx).query<{ member_id: string; password_hash: string }>(
    sql`select member_id, password_hash from members where email = ${email}`,
  )
  return row && { id: row.member_id, email, passwordHash: row.password_hash }
}
