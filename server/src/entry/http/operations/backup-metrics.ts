import { Gauge, type Registry } from 'prom-client'
import type { Store } from '#base/store/store.ts'
import { readBackupTimes } from '#features/backups/read-backup-times.ts'
import { readRestoreHold } from '#features/backups/read-restore-hold.ts'

/** Asked of the database when somebody looks. When it is away, the last known value stays: the other figures are needed then. */
export function addBackupMetrics(registry: Registry, store: Store): void {
  const add = (name: string, help: string, read: () => Promise<number>) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      aggregator: 'first',
      async collect() {
        const value = await read().catch(() => undefined)
        if (value !== undefined) this.set(value)
      },
    })
  add('peyk_backup_last_success_timestamp_seconds', 'When a backup was last made; 0: never.', async () =>
    secondsOf((await readBackupTimes({ store })).succeededAt),
  )
  add('peyk_backup_last_failure_timestamp_seconds', 'When a backup last failed; 0: never.', async () =>
    secondsOf((await readBackupTimes({ store })).failedAt),
  )
  add(
    'peyk_sending_held',
    '1 after a restore, until peyk resume has said what becomes of what waited; else 0.',
    async () => ((await readRestoreHold({ store })) ? 1 : 0),
  )
}

function secondsOf(at: Date | undefined): number {
  return at ? at.getTime() / 1_000 : 0
}
