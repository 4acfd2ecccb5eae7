import sql from 'sql-template-tag'
import { type Context, inTransaction } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { lockMember } from './lock-member.ts'

/** Who belongs to no other app is forgotten, with their sessions. What they did stays in the audit log. */
export async function removeMember(
  ctx: Pick<Context, 'app' | 'store' | 'tx'>,
  input: { id: string },
): Promise<{ id: string; email: string }> {
  return inTransaction(ctx, async (tx) => {
    const { id, email, isLastAdmin } = await lockMember(tx, ctx, input.id)
    if (isLastAdmin) {
      throw new RequestError(
        'invalid-request',
        `${email} is the only admin of the app. Make somebody else admin first.`,
      )
    }
    await tx.query(sql`delete from member_apps where app_id = ${ctx.app.id} and member_id = ${id}`)
    await tx.query(sql`delete from member_links where member_id = ${id} and app_id = ${ctx.app.id}`)
    await tx.query(sql`
      delete from members m where member_id = ${id} and not exists (select from member_apps a where a.member_id = m.member_id)`)
    return { id, email }
  })
}
