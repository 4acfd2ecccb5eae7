import type { Logger } from '#base/log.ts'
import { provenTime } from '#base/store/clock/proven-time.ts'
import { deleteRowsOfMonth, dropMonth, listMonths } from '#base/store/months.ts'
import type { Store } from '#base/store/store.ts'
import { defaultRetention } from '../../accounts/apps/retention.ts'
import { readRetention } from './retention-days.ts'

const DAY = 86_400_000

/** [users-and-events.md#how-long-data-is-kept] Whole months, when all of it is past what the app keeps. Counters stay. */
export async function dropOldEvents(job: {
  store: Store
  now(): Date
  log: Logger
  signal?: AbortSignal
}): Promise<void> {
  const { store, log, signal } = job
  const { longestDays, shorter } = await readRetention(store, 'eventsDays', defaultRetention.eventsDays)
  const at = await provenTime(store, job.now())
  const isPast = (endsAt: Date, days: number) => Number(endsAt) < Number(at) - days * DAY
  for (const month of await listMonths(store, 'events')) {
    if (isPast(month.endsAt, longestDays)) {
      await dropMonth(store, month)
      log.info(`dropped the old events in ${month.partition}`)
      continue
    }
    for (const { appId, days } of shorter) {
      if (!isPast(month.endsAt, days)) continue
      const count = await deleteRowsOfMonth(store, { table: month.partition, month, appId }, signal)
      if (count > 0) log.info({ appId, count }, `deleted the app's old events in ${month.partition}`)
    }
  }
}
