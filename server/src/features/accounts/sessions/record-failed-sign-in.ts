import sql from 'sql-template-tag'
import { db } from '#base/context.ts'
import type { AccountsContext } from '../accounts-context.ts'
import type { SignInAction } from './record-sign-in.ts'

const togetherMs = 10 * 60_000
const looksBack = 200

/**
 * In the audit log of the member's apps. Whoever guesses tries often: what fails within ten minutes is one entry with its
 * count and the last address, so that guessing does not fill the log.
 */
export async function recordFailedSignIn(
  ctx: AccountsContext,
  input: { memberId: string; appIds?: readonly number[] | undefined; action: SignInAction; address: string },
): Promise<void> {
  const action = `${input.action} failed`
  const since = new Date(Number(ctx.now()) - togetherMs)
  const appIds = input.appIds ?? null
  await db(ctx).query(sql`
    with concerned as (
      select a.app_id, m.member_id, m.email from member_apps a join members m using (member_id)
      where m.member_id = ${input.memberId} and (${appIds}::integer[] is null or a.app_id = any(${appIds}::integer[]))
    ), earlier as (
      select c.app_id, max(e.entry_no) as entry_no from concerned c cross join lateral (
        select * from audit_entries where app_id = c.app_id order by entry_no desc limit ${looksBack}) e
      where e.member_id = c.member_id and e.action = ${action} and e.created_at > ${since}
      group by c.app_id
    ), counted as (
      update audit_entries e
      set details = e.details || jsonb_build_object('count', (e.details ->> 'count')::int + 1, 'address', ${input.address}::text)
      from earlier where e.app_id = earlier.app_id and e.entry_no = earlier.entry_no
    )
    insert into audit_entries (app_id, member_id, email, action, details, created_at)
    select c.app_id, c.member_id, c.email, ${action}, jsonb_build_object('count', 1, 'address', ${input.address}::text), ${ctx.now()}
    from concerned c where not exists (select from earlier where earlier.app_id = c.app_id)`)
}
