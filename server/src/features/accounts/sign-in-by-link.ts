import sql from 'sql-template-tag'
import { inTransaction } from '../../base/context.ts'
import { RequestError } from '../../base/errors.ts'
import type { AccountsContext } from './accounts-context.ts'
import { type NewSession, openSession } from './open-session.ts'
import { hashKey } from './session-key.ts'
import type { SignInDelay } from './sign-in-delay.ts'

interface Input {
  key: string
  address: string
  browser: string
}

const ofLinks = 'link'

export async function signInByLink(ctx: AccountsContext, input: Input, delay: SignInDelay): Promise<NewSession> {
  delay.begin(input.address, ofLinks)
  const session = await inTransaction(ctx, async (tx) => {
    const [link] = await tx.query<{ member_id: string }>(sql`
      delete from member_links where hash = ${hashKey(input.key)} and expires_at > ${ctx.now()} returning member_id`)
    if (!link) {
      throw new RequestError(
        'wrong-sign-in',
        'This link was used already, or is older than a day. Ask for a new one, or sign in with your password.',
      )
    }
    return openSession({ ...ctx, tx }, { memberId: link.member_id, browser: input.browser, byLink: true })
  })
  delay.succeed(input.address, ofLinks)
  return session
}
