import sql from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'

const keptEntries = 1_000

export interface BackupEntry {
  isScheduled: boolean
  file: string
  startedAt: Date
  /** Of a backup that was made. */
  bytes?: number
  rows?: number
  /** Why there is none. */
  fault?: string
}

export async function recordBackup(database: Database, entry: BackupEntry): Promise<void> {
  const { isScheduled, file, startedAt, bytes = null, rows = null, fault = null } = entry
  await database.query(sql`
    insert into backups (is_scheduled, file, started_at, ended_at, bytes, rows, fault)
    values (${isScheduled}, ${file}, ${startedAt}, peyk_now(), ${bytes}, ${rows}, ${fault})`)
  await database.query(sql`
    delete from backups where backup_no <= (select max(backup_no) - ${keptEntries}::bigint from backups)`)
}

/** Whether the last one that was made, or tried, by the schedule is long enough ago. */
export async function isBackupDue(
  database: Database,
  { everyMs, retryMs }: { everyMs: number; retryMs: number },
): Promise<boolean> {
  const [row] = await database.query<{ is_due: boolean }>(sql`
    select not exists (
      select from backups
      where is_scheduled and ended_at > peyk_now() - case when fault is null then ${everyMs}::float8 else ${retryMs}::float8 end * interval '1 millisecond'
    ) as is_due`)
  return row?.is_due ?? false
}

/** When the schedule last made one; undefined when that was longer ago than `withinMs`, or never. */
export async function findRecentBackup(database: Database, withinMs: number): Promise<Date | undefined> {
  const [row] = await database.query<{ at: Date | null }>(sql`
    select max(ended_at) as at from backups
    where is_scheduled and fault is null and ended_at > peyk_now() - ${withinMs}::float8 * interval '1 millisecond'`)
  return row?.at ?? undefined
}
