import sql from 'sql-template-tag'
import { realTime } from '#base/clock.ts'
import { inTransaction } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import type { AccountsContext } from '../accounts-context.ts'
import { findPasswords } from './find-passwords.ts'
import { type NewSession, openSession } from './open-session.ts'
import { recordSignIn } from './record-sign-in.ts'
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
    const [link] = await tx.query<{ member_id: string; app_id: number | null }>(sql`
      delete from member_links where hash = ${hashKey(input.key)} and expires_at > ${realTime(ctx.now)} returning member_id, app_id`)
    if (!link) {
      throw new RequestError(
        'wrong-sign-in',
        'This link was used already, or is older than a day. Ask for a new one, or sign in with your password.',
      )
    }
    const inner = { ...ctx, tx }
    const memberId = link.member_id
    const appIds =
      link.app_id === null ? (await findPasswords(inner, { memberId })).map(({ appId }) => appId) : [link.app_id]
    await recordSignIn(inner, { memberId, appIds, action: 'POST /session/link', address: input.address })
    return openSession(inner, { memberId, browser: input.browser, byLink: true, appIds })
  })
  delay.succeed(input.address, ofLinks)
  return session
}
