import type * as contract from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import type { Role } from './member-rules.ts'

export type ListedMember = contract.AnswerOf<typeof contract.panelMembers>[number]

interface Row {
  member_id: string
  email: string
  role: Role
  created_at: Date
  last_seen_at: Date | null
}

export async function listMembers(ctx: Pick<Context, 'app' | 'store' | 'tx' | 'member'>): Promise<ListedMember[]> {
  const rows = await db(ctx).query<Row>(sql`
    select m.member_id, m.email, a.role, coalesce(a.added_at, m.created_at) as created_at,
      (select max(last_seen_at) from member_sessions s
        where s.member_id = m.member_id and (s.app_ids is null or a.app_id = any(s.app_ids))) as last_seen_at
    from member_apps a join members m using (member_id)
    where a.app_id = ${ctx.app.id} order by m.email`)
  return rows.map((row) => ({
    id: row.member_id,
    email: row.email,
    role: row.role,
    createdAt: row.created_at.getTime(),
    ...(row.last_seen_at && { lastSeenAt: row.last_seen_at.getTime() }),
    isYou: row.member_id === ctx.member?.id,
  }))
}
