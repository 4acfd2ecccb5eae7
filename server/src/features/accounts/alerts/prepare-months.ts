import type { Context } from '#base/context.ts'
import { createPartitions } from '#base/store/partitions.ts'
import { listApps } from '../apps/list-apps.ts'
import { raiseAlert } from './raise-alert.ts'
import { settleAlert } from './settle-alert.ts'

type Job = Pick<Context, 'store' | 'now' | 'log'>

/** So long before a month begins somebody is told that it is missing. */
const tellAheadMs = 40 * 86_400_000

/** Makes the months to come of all tables that are cut by month. One that is near and could not be made is an alert. */
export async function prepareMonths(job: Job): Promise<void> {
  const missing = await createPartitions(job.store, job.now())
  for (const { table, months, reason } of missing) {
    const names = months.map(({ name }) => name)
    job.log.warn({ table, months: names, reason }, `months of ${table} could not be made yet and will be tried again`)
  }
  const until = Number(job.now()) + tellAheadMs
  const near = missing.flatMap(({ months }) => months.filter(({ startsAt }) => Number(startsAt) <= until))
  const names = near.map(({ name }) => name).toSorted()
  for (const { id, label } of await listApps(job)) {
    const ctx = { ...job, app: { id, label } }
    if (names.length === 0) await settleAlert(ctx, { kinds: ['month-missing'] })
    else
      await raiseAlert(ctx, {
        kind: 'month-missing',
        text: `The table for a month could not be made yet (${names.join(', ')}): something reads from the database without a pause. Nothing is lost, but the service gets slower from month to month. Look for long transactions in pg_stat_activity.`,
        details: { months: names },
      })
  }
}
