import sql from 'sql-template-tag'
import { db } from '../../base/context.ts'
import { hashPassword, randomPassword } from '../../base/secrets.ts'
import type { AccountsContext } from './accounts-context.ts'

/** Makes a new one, which is shown to the caller only. Who is signed in stays so. */
export async function resetPassword(ctx: AccountsContext, input: { memberId: string }): Promise<{ password: string }> {
  const password = randomPassword()
  const hash = await hashPassword(password)
  await db(ctx).query(sql`update members set password_hash = ${hash} where member_id = ${input.memberId}`)
  return { password }
}
