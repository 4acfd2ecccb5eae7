import sql from 'sql-template-tag'
import { db } from '#base/context.ts'
import type { AccountsContext } from '../accounts-context.ts'

/** All of a member's, except the one that is named; with `appIds` those that open one of these apps. */
export async function endSessions(
  ctx: AccountsContext,
  input: { memberId: string; except?: Buffer | undefined; appIds?: number[] | undefined },
): Promise<{ count: number }> {
  const ended = await db(ctx).query(sql`
    delete from member_sessions
    where member_id = ${input.memberId} and hash is distinct from ${input.except ?? null}::bytea
      and (${input.appIds ?? null}::integer[] is null or app_ids is null or app_ids && ${input.appIds ?? null}::integer[])
    returning 1`)
  return { count: ended.length }
}
