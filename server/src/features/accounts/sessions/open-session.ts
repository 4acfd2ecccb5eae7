import sql from 'sql-template-tag'
import { realTime } from '#base/clock.ts'
import { db } from '#base/context.ts'
import type { AccountsContext } from '../accounts-context.ts'
import { makeKey } from './session-key.ts'
import { expiryOf } from './session-rules.ts'

export interface NewSession {
  /** For the cookie. */
  key: string
  expiresAt: Date
}

const browserLength = 300

/** It opens the apps that are named; all of the member's unless given. */
export async function openSession(
  ctx: AccountsContext,
  input: { memberId: string; browser: string; byLink: boolean; appIds?: readonly number[] | undefined },
): Promise<NewSession> {
  const { key, hash } = makeKey()
  const now = realTime(ctx.now)
  const browser = input.browser.slice(0, browserLength).toWellFormed()
  await db(ctx).query(sql`
    insert into member_sessions (hash, member_id, created_at, last_seen_at, expires_at, browser, by_link, app_ids)
    values (${hash}, ${input.memberId}, ${now}, ${now}, ${expiryOf(now, now)}, ${browser}, ${input.byLink},
      ${input.appIds ?? null}::integer[])`)
  return { key, expiresAt: expiryOf(now, now) }
}
