import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'

export interface AuditEntry {
  /** Method and path under the app, such as "DELETE /tokens/:id". */
  action: string
  subject?: string | undefined
  details?: Record<string, string | number> | undefined
}

type Ctx = Pick<Context, 'app' | 'store' | 'tx' | 'now' | 'member' | 'token'>

/** By the member or the access token that the context names. */
export async function recordAudit(ctx: Ctx, entry: AuditEntry): Promise<void> {
  const { member, token } = ctx
  await db(ctx).query(sql`
    insert into audit_entries (app_id, member_id, token_id, email, action, subject, details, created_at)
    values (${ctx.app.id}, ${member?.id ?? null}, ${token?.id ?? null}, ${member?.email ?? token?.name ?? ''}, ${entry.action}, ${entry.subject ?? null},
      ${entry.details ? JSON.stringify(entry.details) : null}, ${ctx.now()})`)
}
