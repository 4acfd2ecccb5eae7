import sql from 'sql-template-tag'
import { realTime } from '#base/clock.ts'
import { db } from '#base/context.ts'
import type { AccountsContext } from '../accounts-context.ts'

export interface ListedSession {
  id: string
  browser: string
  createdAt: number
  lastSeenAt: number
  isThis: boolean
}

const atMost = 100

/** Where a member is signed in to the apps of this session, the last used first. */
export async function listSessions(
  ctx: AccountsContext,
  input: { memberId: string; hash: Buffer; appIds?: number[] | undefined },
): Promise<ListedSession[]> {
  const rows = await db(ctx).query<{ hash: Buffer; browser: string; created_at: Date; last_seen_at: Date }>(sql`
    select hash, browser, created_at, last_seen_at from member_sessions
    where member_id = ${input.memberId} and expires_at > ${realTime(ctx.now)}
      and (${input.appIds ?? null}::integer[] is null or app_ids is null or app_ids && ${input.appIds ?? null}::integer[])
    order by last_seen_at desc, hash limit ${atMost}`)
  return rows.map((row) => ({
    id: row.hash.toString('hex', 0, 8),
    browser: row.browser,
    createdAt: row.created_at.getTime(),
    lastSeenAt: row.last_seen_at.getTime(),
    isThis: row.hash.equals(input.hash),
  }))
}
