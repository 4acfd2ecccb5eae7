import sql from 'sql-template-tag'
import { realTime } from '#base/clock.ts'
import { db } from '#base/context.ts'
import type { AccountsContext } from '../accounts-context.ts'
import { makeKey } from './session-key.ts'
import { linkMs } from './session-rules.ts'

export interface SignInLink {
  /** Stands behind the # of the link, which browsers keep to themselves. */
  key: string
  expiresAt: Date
}

/**
 * Whoever opens it is signed in as the member, once: to one app, or for the operator's own links to all. An earlier one
 * for the same does not work any more.
 */
export async function makeSignInLink(
  ctx: AccountsContext,
  input: { memberId: string; appId?: number | undefined },
): Promise<SignInLink> {
  const { key, hash } = makeKey()
  const expiresAt = new Date(Number(realTime(ctx.now)) + linkMs)
  const appId = input.appId ?? null
  await db(ctx).query(sql`
    with earlier as (
      delete from member_links
      where member_id = ${input.memberId} and (${appId}::integer is null or app_id is not distinct from ${appId}::integer))
    insert into member_links (hash, member_id, app_id, expires_at)
    values (${hash}, ${input.memberId}, ${appId}, ${expiresAt})`)
  return { key, expiresAt }
}
