import { type Context, inTransaction } from '../../base/context.ts'
import { createMember } from './create-member.ts'
import { makeSignInLink } from './make-sign-in-link.ts'
import type { Role } from './member-rules.ts'

export interface InvitedMember {
  id: string
  email: string
  role: Role
  /** The key of a sign-in link, for who is new. */
  secret?: string
  expiresAt?: number
}

/** A link opens all apps of a member, so that there is none for who belongs to another app: they know how to sign in. */
export async function inviteMember(
  ctx: Pick<Context, 'app' | 'store' | 'tx' | 'now'>,
  input: { email: string; role: string },
): Promise<InvitedMember> {
  return inTransaction(ctx, async (tx) => {
    const inner = { ...ctx, tx }
    const { id, email, role, generatedPassword } = await createMember(inner, input)
    if (generatedPassword === undefined) return { id, email, role }
    const { key, expiresAt } = await makeSignInLink(inner, { memberId: id })
    return { id, email, role, secret: key, expiresAt: expiresAt.getTime() }
  })
}
