import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { abilitiesOf } from '../../accounts/members/abilities.ts'
import type { Role } from '../../accounts/members/member-rules.ts'

/** Sends that wait for this member: not the member's own, and none when the member may not approve. */
export async function countWaitingFor(ctx: Context): Promise<number> {
  const { member } = ctx
  if (!member || !abilitiesOf(member.role as Role).includes('send-to-many')) return 0
  const [row] = await db(ctx).query<{ count: number }>(sql`
    select count(*)::int as count from send_approvals
    where app_id = ${ctx.app.id} and decision is null and lapses_at > ${ctx.now()} and asked_by_id <> ${member.id}`)
  return row?.count ?? 0
}
