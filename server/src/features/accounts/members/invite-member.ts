import { type Context, inTransaction } from '#base/context.ts'
import { makeSignInLink } from '../sessions/make-sign-in-link.ts'
import { createMember } from './create-member.ts'
import type { Role } from './member-rules.ts'

export interface InvitedMember {
  id: string
  email: string
  role: Role
  /** The key of a sign-in link to this app, with which they choose a password for it. */
  secret: string
  expiresAt: number
}

type Ctx = Pick<Context, 'app' | 'store' | 'tx' | 'now'>

/** Says the same of who is new and of who belongs to other apps, which is nobody's business here. */
export async function inviteMember(ctx: Ctx, input: { email: string; role: string }): Promise<InvitedMember> {
  return inTransaction(ctx, async (tx) => {
    const inner = { ...ctx, tx }
    const { id, email, role } = await createMember(inner, { email: input.email, role: input.role, isInvited: true })
    const { key, expiresAt } = await makeSignInLink(inner, { memberId: id, appId: ctx.app.id })
    return { id, email, role, secret: key, expiresAt: expiresAt.getTime() }
  })
}
