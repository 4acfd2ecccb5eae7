import type { Context } from '#base/context.ts'
import { describeFileFault } from '#base/store/backup/describe-file-fault.ts'
import { runAlone } from '#base/store/run-alone.ts'
import { isStoreAway } from '#base/store/store-error.ts'
import { alertAllApps, settleInAllApps } from '../accounts/alerts/alert-all-apps.ts'
import { isBackupDue, recordBackup } from './backup-log.ts'
import { makeBackup } from './make-backup.ts'
import { overdue } from './overdue.ts'
import { keepNewest, prepareFolder, scheduledFile } from './scheduled-file.ts'

export interface BackupPlan {
  everyMs: number
  /** How many files are kept. */
  keep: number
  folder: string
}

type Services = Pick<Context, 'store' | 'now' | 'log'> & { signal?: AbortSignal }

const longestRetryMs = 15 * 60_000

/**
 * Makes the next backup of the schedule, when it is due and no other process is at it. One that fails is told to the
 * operators of all apps and tried again a quarter of an hour later.
 */
export async function makeScheduledBackup(services: Services, plan: BackupPlan): Promise<void> {
  const { store } = services
  const retryMs = Math.min(plan.everyMs, longestRetryMs)
  await runAlone(store, 'scheduled-backup', async () => {
    if (await isBackupDue(store, { everyMs: plan.everyMs, retryMs })) await make(services, plan)
  })
}

async function make(services: Services, { folder, keep }: BackupPlan): Promise<void> {
  const { store, log, now, signal } = services
  const file = scheduledFile(folder, now())
  try {
    await prepareFolder(folder).catch(async (error) => {
      const fault = describeFileFault(error, `The backup folder ${folder} cannot be used`) as Error
      await recordBackup(store, { isScheduled: true, file, startedAt: now(), fault: fault.message })
      throw fault
    })
    const { rows, bytes } = await makeBackup(services, { file, isScheduled: true, ...(signal && { signal }) })
    log.info({ file, rows, bytes }, 'a backup was made')
    await keepNewest(folder, keep)
    await settleInAllApps(services, { kind: 'backup-failed', subjects: ['', overdue] })
  } catch (error) {
    // Neither is a fault of the backup: it is made when the database is back, or by the next process.
    if (signal?.aborted || isStoreAway(error)) throw error
    log.error({ err: error, file }, 'a backup could not be made')
    const reason = error instanceof Error ? error.message : String(error)
    await alertAllApps(services, {
      kind: 'backup-failed',
      text: `The scheduled backup failed: ${reason.replace(/\.$/, '')}. It is retried within a quarter of an hour.`,
      details: { reason: reason.slice(0, 500) },
    })
  }
}
