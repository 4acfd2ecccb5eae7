import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { type Context, inTransaction } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { hashPassword, randomPassword } from '#base/secrets/passwords.ts'
import type { Transaction } from '#base/store/store.ts'
import { endSessions } from '../sessions/end-sessions.ts'
import { findPasswords } from '../sessions/find-passwords.ts'
import { findMember } from './find-member.ts'
import { checkEmail, checkPassword, checkRole, noPassword, type Role } from './member-rules.ts'

export interface NewMember {
  id: string
  email: string
  role: Role
  /** Only when it was made here: it is not stored and not shown again. */
  generatedPassword: string | undefined
}

type MemberContext = Pick<Context, 'app' | 'store' | 'tx' | 'now'>

interface Input {
  email: string
  role: string
  password?: string | undefined
  /** They choose a password when they open the link that they are sent: until then there is none. */
  isInvited?: boolean
}

/**
 * Somebody who may use the panel for an app. Nobody proved that an account is that of the address it is named by: an admin
 * of any app can make one. So nothing that opens another app opens this one, neither a password, nor a session, nor a link.
 */
export async function createMember(ctx: MemberContext, input: Input): Promise<NewMember> {
  const email = checkEmail(input.email)
  const role = checkRole(input.role)
  const chosen = input.password === undefined ? undefined : checkPassword(input.password)
  const generatedPassword = chosen === undefined && !input.isInvited ? randomPassword() : undefined
  const password = chosen ?? generatedPassword
  const passwordHash = password === undefined ? noPassword : await hashPassword(password, await findHashes(ctx, email))
  return inTransaction(ctx, async (tx) => {
    const { id, isNew } = await openAccount(ctx, tx, email, passwordHash)
    await giveRole(ctx, tx, { id, email, role, passwordHash })
    if (!isNew) {
      await endSessions({ ...ctx, tx }, { memberId: id })
      await tx.query(sql`delete from member_links where member_id = ${id} and app_id is null`)
    }
    return { id, email, role, generatedPassword }
  })
}

/** Of the passwords that the member has for other apps. */
async function findHashes(ctx: MemberContext, email: string): Promise<string[]> {
  const account = await findMember(ctx, { email })
  if (!account) return []
  return (await findPasswords(ctx, { memberId: account.id })).map((other) => other.passwordHash)
}

/** The account of the address, made when there is none. */
async function openAccount(
  ctx: MemberContext,
  tx: Transaction,
  email: string,
  passwordHash: string,
): Promise<{ id: string; isNew: boolean }> {
  const made = randomUUID()
  const [row] = await tx.query<{ member_id: string }>(sql`
    insert into members (member_id, email, password_hash, created_at) values (${made}, ${email}, ${passwordHash}, ${ctx.now()})
    on conflict (email) do update set email = excluded.email returning member_id`)
  const id = row?.member_id as string
  return { id, isNew: id === made }
}

function memberExists(message: string, email: string): RequestError {
  return new RequestError('already-exists', message, { details: { what: 'member', name: email } })
}

async function giveRole(
  ctx: MemberContext,
  tx: Transaction,
  member: { id: string; email: string; role: Role; passwordHash: string },
): Promise<void> {
  const made = await tx.query(sql`
    insert into member_apps (app_id, member_id, role, password_hash, added_at)
    values (${ctx.app.id}, ${member.id}, ${member.role}, ${member.passwordHash}, ${ctx.now()})
    on conflict do nothing returning app_id`)
  if (made.length === 0) {
    throw memberExists(`${member.email} is a member of the app "${ctx.app.label}" already.`, member.email)
  }
}
