import sql from 'sql-template-tag'
import { realTime } from '#base/clock.ts'
import { inTransaction } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { hashPassword, matchPassword } from '#base/secrets/passwords.ts'
import type { AccountsContext } from '../accounts-context.ts'
import { checkPassword } from '../members/member-rules.ts'
import { endSessions } from './end-sessions.ts'
import { type AppPassword, findPasswords } from './find-passwords.ts'
import type { MemberSession } from './find-session.ts'
import { recordFailedSignIn } from './record-failed-sign-in.ts'
import { recordSignIn } from './record-sign-in.ts'
import { mayChoosePassword } from './session-rules.ts'
import type { SignInDelay } from './sign-in-delay.ts'

const action = 'PUT /password'

interface Input {
  session: MemberSession
  address: string
  current?: string | undefined
  next: string
}

/**
 * Of the apps that the session opens and, with a current one, that this one is for. Ends the other sessions and links of
 * these apps: whoever knew the old password is out.
 */
export async function changePassword(ctx: AccountsContext, input: Input, delay: SignInDelay): Promise<void> {
  const { session, address } = input
  const { memberId } = session
  const next = checkPassword(input.next)
  const all = await findPasswords(ctx, { memberId })
  const appIds = await findOpened(ctx, input, all, delay)
  const turn = { ...delay.turnOf(address, session.email), isKnown: true }
  const hash = await hashPassword(
    next,
    all.map(({ passwordHash }) => passwordHash),
    turn,
  )
  await inTransaction(ctx, async (tx) => {
    const inner = { ...ctx, tx }
    await tx.query(sql`
      update member_apps set password_hash = ${hash} where member_id = ${memberId} and app_id = any(${appIds}::integer[])`)
    // With it go apps that have none of their own, so only when there are no others.
    if (appIds.length === all.length)
      await tx.query(sql`update members set password_hash = ${hash} where member_id = ${memberId}`)
    await tx.query(sql`
      delete from member_links
      where member_id = ${memberId} and (app_id is null or app_id = any(${appIds}::integer[]))`)
    await tx.query(sql`update member_sessions set by_link = false where hash = ${session.hash}`)
    await endSessions(inner, { memberId, except: session.hash, appIds })
    await recordSignIn(inner, { memberId, appIds, action, address })
  })
}

async function findOpened(
  ctx: AccountsContext,
  { session, address, current }: Input,
  all: readonly AppPassword[],
  delay: SignInDelay,
): Promise<number[]> {
  const opened = all.filter(({ appId }) => session.appIds?.includes(appId) ?? true)
  const idsOf = (passwords: readonly AppPassword[]) => passwords.map(({ appId }) => appId)
  if (current === undefined && mayChoosePassword(session, realTime(ctx.now)) && opened.length > 0) return idsOf(opened)
  delay.begin(address, session.email)
  const isMatch = await matchPassword(
    current ?? '',
    opened.map(({ passwordHash }) => passwordHash),
    { ...delay.turnOf(address, session.email), isKnown: true },
  )
  const matching = opened.filter((_, index) => isMatch[index])
  if (matching.length === 0) {
    await recordFailedSignIn(ctx, { memberId: session.memberId, appIds: idsOf(opened), action, address })
    throw new RequestError('invalid-request', 'The current password is wrong.', { details: { field: 'current' } })
  }
  delay.succeed(address, session.email)
  return idsOf(matching)
}
