import { inTransaction } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { matchPassword } from '#base/secrets/passwords.ts'
import { runAsService } from '#base/store/pool/connection-scope.ts'
import type { AccountsContext } from '../accounts-context.ts'
import { findMember } from '../members/find-member.ts'
import { findPasswords } from './find-passwords.ts'
import { type NewSession, openSession } from './open-session.ts'
import { recordFailedSignIn } from './record-failed-sign-in.ts'
import { recordSignIn } from './record-sign-in.ts'
import type { SignInDelay } from './sign-in-delay.ts'

const action = 'POST /session'

interface Input {
  email: string
  password: string
  address: string
  browser: string
}

/**
 * The same answer, after the same work, for a wrong password and for nobody's address. A member of several apps may have
 * several passwords: each opens the apps that it is for.
 */
export async function signIn(ctx: AccountsContext, input: Input, delay: SignInDelay): Promise<NewSession> {
  delay.begin(input.address, input.email)
  const memberId = (await findMember(ctx, input))?.id
  const passwords = memberId === undefined ? [] : await findPasswords(ctx, { memberId })
  const isMatch = await matchPassword(
    input.password,
    passwords.map(({ passwordHash }) => passwordHash),
    delay.turnOf(input.address, input.email),
  )
  const appIds = passwords.filter((_, index) => isMatch[index]).map(({ appId }) => appId)
  const { address, browser } = input
  if (memberId === undefined || appIds.length === 0) {
    // Not waited for: how long it takes would tell whether there is such a member.
    if (memberId !== undefined)
      void runAsService(() => recordFailedSignIn(ctx, { memberId, action, address })).catch(() => undefined)
    throw new RequestError('wrong-sign-in', 'The email address or the password is wrong.')
  }
  delay.succeed(address, input.email)
  return inTransaction(ctx, async (tx) => {
    await recordSignIn({ ...ctx, tx }, { memberId, appIds, action, address })
    return openSession({ ...ctx, tx }, { memberId, browser, byLink: false, appIds })
  })
}
