import sql from 'sql-template-tag'
import { inTransaction } from '#base/context.ts'
import { hashPassword, randomPassword } from '#base/secrets/passwords.ts'
import type { AccountsContext } from '../accounts-context.ts'

/** Makes a new one for all of the member's apps, which is shown to the caller only. Who is signed in stays so. */
export async function resetPassword(ctx: AccountsContext, input: { memberId: string }): Promise<{ password: string }> {
  const password = randomPassword()
  const hash = await hashPassword(password)
  await inTransaction(ctx, async (tx) => {
    await tx.query(sql`update members set password_hash = ${hash} where member_id = ${input.memberId}`)
    await tx.query(sql`update member_apps set password_hash = ${hash} where member_id = ${input.memberId}`)
  })
  return { password }
}
