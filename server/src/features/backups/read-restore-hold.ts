import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'

/** The database came out of a backup, and nobody has said what becomes of what waited in it. */
export interface Hold {
  backupMadeAt: Date
  restoredAt: Date
}

/** Undefined when nothing is held back. */
export async function readRestoreHold(ctx: Pick<Context, 'store'>): Promise<Hold | undefined> {
  const [row] = await ctx.store.query<{ backup_made_at: Date; restored_at: Date }>(
    sql`select backup_made_at, restored_at from restores where resumed_at is null order by restore_no desc limit 1`,
    'read-hold',
  )
  return row && { backupMadeAt: row.backup_made_at, restoredAt: row.restored_at }
}
