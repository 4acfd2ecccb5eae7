import sql from 'sql-template-tag'
import { db } from '../../base/context.ts'
import type { AccountsContext } from './accounts-context.ts'
import type { Role } from './member-rules.ts'

export async function listAppsOfMember(
  ctx: AccountsContext,
  input: { memberId: string },
): Promise<{ label: string; name: string; role: Role }[]> {
  return db(ctx).query(sql`
    select a.label, a.name, m.role from member_apps m join apps a using (app_id)
    where m.member_id = ${input.memberId} order by a.name, a.label`)
}
