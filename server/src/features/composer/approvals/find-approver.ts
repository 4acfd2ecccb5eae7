import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'

/** Returns the member who approved a message or its series; undefined if none had to, or if it has changed since. */
export async function findApprover(
  ctx: Pick<Context, 'app' | 'store' | 'tx'>,
  { id, seriesId }: { id: string; seriesId?: string | undefined },
): Promise<{ approvedBy: string; approvedAt: number } | undefined> {
  const [row] = await db(ctx).query<{ by: string; at: Date }>(sql`
    select decided_by as by, decided_at as at from send_approvals
    where app_id = ${ctx.app.id} and decision = 'approved'
      and (message_id = ${id} or series_id = ${seriesId ?? null}::uuid)
      and not coalesce(revoked_ids && array_remove(array[${id}::uuid, ${seriesId ?? null}::uuid], null), false)
    order by decided_at desc limit 1`)
  return row && { approvedBy: row.by, approvedAt: row.at.getTime() }
}
