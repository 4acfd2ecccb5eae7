import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { type Context, inTransaction } from '../../base/context.ts'
import { RequestError } from '../../base/errors.ts'
import { hashPassword, randomPassword } from '../../base/secrets.ts'
import type { Transaction } from '../../base/store/store.ts'
import { findMember } from './find-member.ts'
import { checkEmail, checkPassword, checkRole, type Role } from './member-rules.ts'

export interface NewMember {
  id: string
  email: string
  role: Role
  /** Only when it was made here: it is not stored and not shown again. */
  generatedPassword: string | undefined
}

type MemberContext = Pick<Context, 'app' | 'store' | 'tx' | 'now'>

/** Somebody who may use the panel for an app. Who is a member of another app already keeps the password. */
export async function createMember(
  ctx: MemberContext,
  input: { email: string; role: string; password?: string | undefined },
): Promise<NewMember> {
  const email = checkEmail(input.email)
  const role = checkRole(input.role)
  const chosen = input.password === undefined ? undefined : checkPassword(input.password)
  const existing = (await findMember(ctx, { email }))?.id
  if (existing !== undefined) {
    if (chosen !== undefined) {
      throw memberExists(`There is a member ${email} already: give no password, it stays the same.`, email)
    }
    await inTransaction(ctx, async (tx) => {
      await giveRole(ctx, tx, { id: existing, email, role })
      // Whoever made a link for them did it for the other app.
      await tx.query(sql`delete from member_links where member_id = ${existing}`)
    })
    return { id: existing, email, role, generatedPassword: undefined }
  }
  const generatedPassword = chosen === undefined ? randomPassword() : undefined
  const passwordHash = await hashPassword(chosen ?? (generatedPassword as string))
  const id = randomUUID()
  await inTransaction(ctx, async (tx) => {
    const made = await tx.query(sql`
      insert into members (member_id, email, password_hash, created_at) values (${id}, ${email}, ${passwordHash}, ${ctx.now()})
      on conflict (email) do nothing returning member_id`)
    if (made.length === 0) throw memberExists(`There is a member ${email} already.`, email)
    await giveRole(ctx, tx, { id, email, role })
  })
  return { id, email, role, generatedPassword }
}

function memberExists(message: string, email: string): RequestError {
  return new RequestError('already-exists', message, { details: { what: 'member', name: email } })
}

async function giveRole(
  ctx: MemberContext,
  tx: Transaction,
  member: { id: string; email: string; role: Role },
): Promise<void> {
  const made = await tx.query(sql`
    insert into member_apps (app_id, member_id, role) values (${ctx.app.id}, ${member.id}, ${member.role})
    on conflict do nothing returning app_id`)
  if (made.length === 0) {
    throw memberExists(`${member.email} is a member of the app "${ctx.app.label}" already.`, member.email)
  }
}
