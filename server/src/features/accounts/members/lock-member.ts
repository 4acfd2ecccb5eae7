import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { isUuid } from '#base/ids.ts'
import type { Transaction } from '#base/store/store.ts'
import type { Role } from './member-rules.ts'

export interface LockedMember {
  id: string
  email: string
  role: Role
  isLastAdmin: boolean
}

/** A member of the app, with the app's members held still, so that two admins cannot demote each other at once. */
export async function lockMember(tx: Transaction, ctx: Pick<Context, 'app'>, id: string): Promise<LockedMember> {
  const rows = await tx.query<{ member_id: string; email: string; role: Role }>(sql`
    select a.member_id, m.email, a.role from member_apps a join members m using (member_id)
    where a.app_id = ${ctx.app.id} order by a.member_id for update of a`)
  const found = rows.find((row) => row.member_id === id.toLowerCase())
  if (!isUuid(id) || !found)
    throw new RequestError('not-found', `The app "${ctx.app.label}" has no member with the id "${id.slice(0, 64)}".`)
  const admins = rows.filter((row) => row.role === 'admin')
  const isLastAdmin = found.role === 'admin' && admins.length === 1
  return { id: found.member_id, email: found.email, role: found.role, isLastAdmin }
}
