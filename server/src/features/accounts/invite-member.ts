import sql from 'sql-template-tag'
import { type Context, inTransaction } from '../../base/context.ts'
import { RequestError } from '../../base/errors.ts'
import type { Transaction } from '../../base/store/store.ts'
import { createMember } from './create-member.ts'
import { makeSignInLink } from './make-sign-in-link.ts'
import { checkEmail, type Role } from './member-rules.ts'

export interface InvitedMember {
  id: string
  email: string
  role: Role
  /** The key of a sign-in link, for who is new. */
  secret?: string
  expiresAt?: number
}

type Ctx = Pick<Context, 'app' | 'store' | 'tx' | 'now' | 'member'>

/** A link opens all apps of a member, so that there is none for who belongs to another app: they know how to sign in. */
export async function inviteMember(ctx: Ctx, input: { email: string; role: string }): Promise<InvitedMember> {
  return inTransaction(ctx, async (tx) => {
    const inner = { ...ctx, tx }
    await checkIsNoStranger(tx, ctx, checkEmail(input.email))
    const { id, email, role, generatedPassword } = await createMember(inner, input)
    if (generatedPassword === undefined) return { id, email, role }
    const { key, expiresAt } = await makeSignInLink(inner, { memberId: id })
    return { id, email, role, secret: key, expiresAt: expiresAt.getTime() }
  })
}

/**
 * Nobody proved that an account is that of the address it is named by: an admin of any app can make one and sign in with
 * it. So whoever invites has to know it from an app that both belong to.
 */
async function checkIsNoStranger(tx: Transaction, { app, member }: Ctx, email: string): Promise<void> {
  const strangers = await tx.query(sql`
    select 1 from members m
    where m.email = ${email} and exists (select from member_apps a where a.member_id = m.member_id) and not exists (
      select from member_apps a
      where a.member_id = m.member_id and (a.app_id = ${app.id} or exists (
        select from member_apps mine where mine.app_id = a.app_id and mine.member_id = ${member?.id ?? null}::uuid)))`)
  if (strangers.length === 0) return
  throw new RequestError(
    'invalid-request',
    `${email} is a member of apps that you do not belong to: only the operator can add them here (peyk member create).`,
    { details: { field: 'email' } },
  )
}
