import type { Context } from '#base/context.ts'
import { alertAllApps } from '../accounts/alerts/alert-all-apps.ts'
import { findRecentBackup } from './backup-log.ts'
import { overdue } from './overdue.ts'

/** A backup that is later than by half its pace is overdue. */
const patience = 1.5

/**
 * Tells the operators that no backup has been made for too long, whatever keeps it: a process that makes one and does not
 * come to an end, for instance. A process that has just started first gets the time to make one.
 */
export async function alertOverdue(
  services: Pick<Context, 'store' | 'now' | 'log'>,
  { everyMs, runningMs }: { everyMs: number; runningMs: number },
): Promise<boolean> {
  if (runningMs < everyMs * (patience - 1)) return false
  if (await findRecentBackup(services.store, everyMs * patience)) return false
  await alertAllApps(services, {
    kind: 'backup-failed',
    subject: overdue,
    text: 'The scheduled backup is overdue. See the log of the service, and peyk_backup_last_success_timestamp_seconds in its metrics.',
  })
  return true
}
