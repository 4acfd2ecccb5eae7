import sql from 'sql-template-tag'
import { db } from '../../base/context.ts'
import type { AccountsContext } from './accounts-context.ts'
import { makeKey } from './session-key.ts'
import { linkMs } from './session-rules.ts'

export interface SignInLink {
  /** Stands behind the # of the link, which browsers keep to themselves. */
  key: string
  expiresAt: Date
}

/** Whoever opens it is signed in as the member, once. An earlier one does not work any more. */
export async function makeSignInLink(ctx: AccountsContext, input: { memberId: string }): Promise<SignInLink> {
  const { key, hash } = makeKey()
  const expiresAt = new Date(Number(ctx.now()) + linkMs)
  await db(ctx).query(sql`
    with earlier as (delete from member_links where member_id = ${input.memberId})
    insert into member_links (hash, member_id, expires_at) values (${hash}, ${input.memberId}, ${expiresAt})`)
  return { key, expiresAt }
}
