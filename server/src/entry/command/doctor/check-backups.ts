import type { Config } from '#base/config.ts'
import type { Store } from '#base/store/store.ts'
import { type BackupTimes, readBackupTimes } from '#features/backups/read-backup-times.ts'
import { formatMinute } from '../print.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const oldMs = 7 * DAY
/** As the service itself, which then raises an alert. */
const patience = 1.5

export async function checkBackups(store: Store, config: Config, now: Date): Promise<Finding[]> {
  return [judgeBackups(await readBackupTimes({ store }), config, now)]
}

export function judgeBackups(
  { succeededAt, failedAt }: BackupTimes,
  { mode, backupEveryHours }: Pick<Config, 'mode' | 'backupEveryHours'>,
  now: Date,
): Finding {
  const make = 'Set PEYK_BACKUP_EVERY=24 and copy the files to another machine, or run peyk backup <file> regularly.'
  const last = succeededAt ? `The last backup was made at ${formatMinute(succeededAt)}` : 'No backup was ever made'
  if (failedAt && (!succeededAt || failedAt > succeededAt))
    return fault(
      'backup-failed',
      `The backup of ${formatMinute(failedAt)} failed. ${last}.`,
      'See the log of the service, or what peyk backup said: the disk, or the rights to the folder. A backup that succeeds ends this.',
    )
  if (!succeededAt && mode === 'development') return ok('no-backup', 'none yet')
  if (!succeededAt && backupEveryHours > 0)
    return warning(
      'no-backup',
      `${last}, and one is due every ${backupEveryHours} hours.`,
      'The service makes the first within minutes of its start. If it runs for longer, its log says what keeps it.',
    )
  if (!succeededAt) return warning('no-backup', `${last}.`, make)
  const ageMs = Number(now) - Number(succeededAt)
  if (backupEveryHours > 0 && ageMs > backupEveryHours * HOUR * patience)
    return fault(
      'backup-overdue',
      `${last}, and one is due every ${backupEveryHours} hours.`,
      'Is the service running? Its log says what keeps it.',
    )
  if (backupEveryHours === 0 && ageMs > oldMs) return warning('backup-old', `${last}.`, make)
  return ok('backup', `last made ${formatMinute(succeededAt)}, ${describeAge(ageMs)} ago`)
}

function describeAge(ms: number): string {
  const hours = Math.max(0, Math.floor(ms / HOUR))
  return hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`
}
