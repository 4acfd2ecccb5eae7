import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'

export interface BackupTimes {
  succeededAt: Date | undefined
  failedAt: Date | undefined
}

/** When a backup was last made and when one last failed, by the schedule or by the command. */
export async function readBackupTimes(ctx: Pick<Context, 'store'>): Promise<BackupTimes> {
  const [row] = await ctx.store.query<{ succeeded_at: Date | null; failed_at: Date | null }>(sql`
    select max(ended_at) filter (where fault is null) as succeeded_at,
      max(ended_at) filter (where fault is not null) as failed_at
    from backups`)
  return { succeededAt: row?.succeeded_at ?? undefined, failedAt: row?.failed_at ?? undefined }
}
