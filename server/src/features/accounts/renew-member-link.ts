import sql from 'sql-template-tag'
import { type Context, inTransaction } from '../../base/context.ts'
import { RequestError } from '../../base/errors.ts'
import { lockMember } from './lock-member.ts'
import { makeSignInLink } from './make-sign-in-link.ts'

/** For who forgot the password. An admin of one app must not get into another by it. */
export async function renewMemberLink(
  ctx: Pick<Context, 'app' | 'store' | 'tx' | 'now'>,
  input: { id: string },
): Promise<{ email: string; secret: string; expiresAt: number }> {
  return inTransaction(ctx, async (tx) => {
    const { id, email } = await lockMember(tx, ctx, input.id)
    const others = await tx.query(sql`
      select 1 from member_apps where member_id = ${id} and app_id <> ${ctx.app.id} limit 1`)
    if (others.length > 0) {
      throw new RequestError(
        'invalid-request',
        `${email} is a member of other apps too, which a link would open: only the operator can make one (peyk member link).`,
      )
    }
    const { key, expiresAt } = await makeSignInLink({ ...ctx, tx }, { memberId: id })
    return { email, secret: key, expiresAt: expiresAt.getTime() }
  })
}
