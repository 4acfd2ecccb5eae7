import sql from 'sql-template-tag'
import { db } from '#base/context.ts'
import type { AccountsContext } from '../accounts-context.ts'

export type SignInAction = 'POST /session' | 'POST /session/link' | 'PUT /password'

interface SignIn {
  memberId: string
  /** The apps whose audit log tells of it; all of the member's unless given. */
  appIds?: readonly number[] | undefined
  action: SignInAction
  address: string
}

/** In the audit log of every app that it concerns. */
export async function recordSignIn(ctx: AccountsContext, input: SignIn): Promise<void> {
  const { memberId, appIds, action, address } = input
  await db(ctx).query(sql`
    insert into audit_entries (app_id, member_id, email, action, details, created_at)
    select a.app_id, m.member_id, m.email, ${action}, ${JSON.stringify({ address })}::jsonb, ${ctx.now()}
    from member_apps a join members m using (member_id)
    where m.member_id = ${memberId} and (${appIds ?? null}::integer[] is null or a.app_id = any(${appIds ?? null}::integer[]))`)
}
