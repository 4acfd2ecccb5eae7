import type * as contract from '@peyk/contract'
import sql, { empty } from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { readNumberCursor } from '#base/page-cursor.ts'

export type ListedAuditEntry = contract.AnswerOf<typeof contract.panelAudit>['data'][number]

interface Row {
  entry_no: number
  created_at: Date
  email: string
  token_id: string | null
  action: string
  subject: string | null
  details: Record<string, string | number> | null
}

const defaultLimit = 50

/** What members did, and access tokens to the settings, newest first. */
export async function listAudit(
  ctx: Pick<Context, 'app' | 'store' | 'tx'>,
  input: { limit?: number; cursor?: string },
): Promise<{ data: ListedAuditEntry[]; cursor?: string }> {
  const limit = input.limit ?? defaultLimit
  const smallest = readNumberCursor(input.cursor)
  const before = smallest === undefined ? empty : sql`and entry_no < ${smallest}`
  const rows = await db(ctx).query<Row>(sql`
    select entry_no, created_at, email, token_id, action, subject, details from audit_entries
    where app_id = ${ctx.app.id} ${before} order by entry_no desc limit ${limit + 1}`)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    data: page.map(({ entry_no, created_at, email, token_id, action, subject, details }) => ({
      ...{ id: String(entry_no), at: created_at.getTime(), email, action },
      ...(token_id !== null && { isToken: true as const }),
      ...(subject !== null && { subject }),
      ...(details !== null && { details }),
    })),
    ...(rows.length > limit && last && { cursor: String(last.entry_no) }),
  }
}
