import { RequestError } from '../../base/errors.ts'
import { isPassword } from '../../base/secrets.ts'
import type { AccountsContext } from './accounts-context.ts'
import { findMember } from './find-member.ts'
import { type NewSession, openSession } from './open-session.ts'
import type { SignInDelay } from './sign-in-delay.ts'

interface Input {
  email: string
  password: string
  address: string
  browser: string
}

/** The same answer, after the same work, for a wrong password and for nobody's address. */
export async function signIn(ctx: AccountsContext, input: Input, delay: SignInDelay): Promise<NewSession> {
  delay.begin(input.address, input.email)
  const member = await findMember(ctx, input)
  if (!(await isPassword(input.password, member?.passwordHash)) || !member)
    throw new RequestError('wrong-sign-in', 'The e-mail address or the password is wrong.')
  delay.succeed(input.address, input.email)
  return openSession(ctx, { memberId: member.id, browser: input.browser, byLink: false })
}
