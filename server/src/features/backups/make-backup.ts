import type { Context } from '#base/context.ts'
import { RefusedFileError } from '#base/store/backup/backup-error.ts'
import type { OnProgress } from '#base/store/backup/backup-progress.ts'
import { type WrittenBackup, writeBackup } from '#base/store/backup/write-backup.ts'
import { recordBackup } from './backup-log.ts'
import { excludedTables } from './excluded-tables.ts'
import { readSealed } from './read-sealed.ts'

/**
 * Backs up all apps to a file while the service runs, and records the result. A refused file is not recorded as a
 * failed backup, which would raise an alert: the caller sees the refusal.
 */
export async function makeBackup(
  ctx: Pick<Context, 'store' | 'now'>,
  input: { file: string; isScheduled: boolean; onProgress?: OnProgress; signal?: AbortSignal },
): Promise<WrittenBackup> {
  const { file, isScheduled, onProgress, signal } = input
  const entry = { file, isScheduled, startedAt: ctx.now() }
  try {
    const written = await writeBackup(ctx.store, { file, without: excludedTables, readSealed, onProgress, signal })
    await recordBackup(ctx.store, { ...entry, bytes: written.bytes, rows: written.rows })
    return written
  } catch (error) {
    const isRefusal = error instanceof RefusedFileError && !isScheduled
    // If the database is unavailable, the record fails too; the first error is the one to report.
    if (!signal?.aborted && !isRefusal)
      await recordBackup(ctx.store, { ...entry, fault: describe(error) }).catch(() => undefined)
    throw error
  }
}

function describe(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500)
}
