import sql from 'sql-template-tag'
import { inTransaction } from '../../base/context.ts'
import { RequestError } from '../../base/errors.ts'
import { hashPassword, isPassword } from '../../base/secrets.ts'
import type { AccountsContext } from './accounts-context.ts'
import { endSessions } from './end-sessions.ts'
import { findMember } from './find-member.ts'
import type { MemberSession } from './find-session.ts'
import { checkPassword } from './member-rules.ts'
import { mayChoosePassword } from './session-rules.ts'
import type { SignInDelay } from './sign-in-delay.ts'

interface Input {
  session: MemberSession
  address: string
  current?: string | undefined
  next: string
}

/** Ends the member's other sessions and links: whoever knew the old password is out. */
export async function changePassword(ctx: AccountsContext, input: Input, delay: SignInDelay): Promise<void> {
  const { session, address, current } = input
  const next = checkPassword(input.next)
  if (current !== undefined || !mayChoosePassword(session, ctx.now())) {
    delay.begin(address, session.email)
    const member = await findMember(ctx, session)
    if (!(await isPassword(current ?? '', member?.passwordHash))) {
      throw new RequestError('invalid-request', 'The current password is wrong.', { details: { field: 'current' } })
    }
    delay.succeed(address, session.email)
  }
  const hash = await hashPassword(next)
  await inTransaction(ctx, async (tx) => {
    await tx.query(sql`update members set password_hash = ${hash} where member_id = ${session.memberId}`)
    await tx.query(sql`delete from member_links where member_id = ${session.memberId}`)
    await tx.query(sql`update member_sessions set by_link = false where hash = ${session.hash}`)
    await endSessions({ ...ctx, tx }, { memberId: session.memberId, except: session.hash })
  })
}
