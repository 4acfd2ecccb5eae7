import sql from 'sql-template-tag'
import { type Context, inTransaction } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { lockMember } from './lock-member.ts'
import { checkRole, type Role } from './member-rules.ts'

/** Takes effect with the member's next request. */
export async function changeRole(
  ctx: Pick<Context, 'app' | 'store' | 'tx'>,
  input: { id: string; role: string },
): Promise<{ id: string; email: string; role: Role }> {
  const role = checkRole(input.role)
  return inTransaction(ctx, async (tx) => {
    const { id, email, isLastAdmin } = await lockMember(tx, ctx, input.id)
    if (isLastAdmin && role !== 'admin') {
      throw new RequestError(
        'invalid-request',
        `${email} is the only admin of the app. Make somebody else admin first.`,
      )
    }
    await tx.query(sql`update member_apps set role = ${role} where app_id = ${ctx.app.id} and member_id = ${id}`)
    return { id, email, role }
  })
}
