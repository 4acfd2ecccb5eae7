import { type Context, inTransaction } from '#base/context.ts'
import { makeSignInLink } from '../sessions/make-sign-in-link.ts'
import { lockMember } from './lock-member.ts'

/** For who forgot the password. It opens this app only: an admin of one app must not get into another by it. */
export async function renewMemberLink(
  ctx: Pick<Context, 'app' | 'store' | 'tx' | 'now'>,
  input: { id: string },
): Promise<{ email: string; secret: string; expiresAt: number }> {
  return inTransaction(ctx, async (tx) => {
    const { id, email } = await lockMember(tx, ctx, input.id)
    const { key, expiresAt } = await makeSignInLink({ ...ctx, tx }, { memberId: id, appId: ctx.app.id })
    return { email, secret: key, expiresAt: expiresAt.getTime() }
  })
}
