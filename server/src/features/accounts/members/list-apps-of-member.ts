import sql from 'sql-template-tag'
import { db } from '#base/context.ts'
import type { AccountsContext } from '../accounts-context.ts'
import { noPassword, type Role } from './member-rules.ts'

interface AppOfMember {
  label: string
  name: string
  role: Role
  hasPassword: boolean
}

/** Those that a session opens. */
export async function listAppsOfMember(
  ctx: AccountsContext,
  input: { memberId: string; appIds?: number[] | undefined },
): Promise<AppOfMember[]> {
  return db(ctx).query<AppOfMember>(sql`
    select a.label, a.name, m.role, m.password_hash is distinct from ${noPassword} as "hasPassword"
    from member_apps m join apps a using (app_id)
    where m.member_id = ${input.memberId}
      and (${input.appIds ?? null}::integer[] is null or m.app_id = any(${input.appIds ?? null}::integer[]))
    order by a.name, a.label`)
}
