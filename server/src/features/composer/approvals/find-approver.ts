import sql from 'sql-template-tag'
import { type Context, db } from '../../../base/context.ts'

/** Who approved a message, or the series that it belongs to; undefined when nobody had to. */
export async function findApprover(
  ctx: Pick<Context, 'app' | 'store' | 'tx'>,
  { id, seriesId }: { id: string; seriesId?: string | undefined },
): Promise<{ approvedBy: string; approvedAt: number } | undefined> {
  const [row] = await db(ctx).query<{ by: string; at: Date }>(sql`
    select decided_by as by, decided_at as at from send_approvals
    where app_id = ${ctx.app.id} and decision = 'approved'
      and (message_id = ${id} or series_id = ${seriesId ?? null}::uuid)
    limit 1`)
  return row && { approvedBy: row.by, approvedAt: row.at.getTime() }
}
