import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import type { OnProgress } from '#base/store/backup/backup-progress.ts'
import { loadBackup } from '#base/store/backup/load-backup.ts'
import { presentTime } from '#base/store/clock/read-time.ts'

/**
 * Fills an empty database from a backup and brings its schema up to date, in one transaction: all of it or nothing. The
 * same commit notes that whatever waits in it is held back: see resume-sending.ts.
 */
export async function restoreBackup(
  ctx: Pick<Context, 'store'>,
  input: { file: string; onProgress?: OnProgress },
): Promise<void> {
  await ctx.store.transaction(async (tx) => {
    const { madeAt } = await loadBackup(tx, input)
    await tx.query(sql`
      insert into restores (backup_made_at, restored_at) values (${madeAt}::timestamptz, ${presentTime})`)
  })
  // Without statistics PostgreSQL would take every table for a small one until it has looked by itself.
  await ctx.store.transaction(async (tx) => {
    await tx.query(sql`set local statement_timeout = 0`)
    await tx.query(sql`analyze`)
  })
}
