import sql, { empty } from 'sql-template-tag'
import { firstIdAt } from '../../base/ids.ts'
import type { Logger } from '../../base/log.ts'
import { deleteRowsOfMonth, dropMonth, listMonths, type Month } from '../../base/store/months.ts'
import type { PartitionedTable } from '../../base/store/partitions.ts'
import type { Store } from '../../base/store/store.ts'
import { readRetention } from '../events/retention-days.ts'

interface Job {
  store: Store
  now(): Date
  log: Logger
  signal?: AbortSignal
}

const DAY = 86_400_000
const usualDays = 90

/** What there is of a message. It goes together, the message last. */
const tables = [
  'receipts',
  'delivery_attempts',
  'deliveries',
  'message_users',
  'messages',
] as const satisfies readonly PartitionedTable[]

/** [choice 47] Whole months of messages and their deliveries, when the last message of it has been expired for so long. */
export async function dropOldSendings(job: Job): Promise<void> {
  const { store, log } = job
  const { longestDays, shorter } = await readRetention(store, 'deliveriesDays', usualDays)
  const apps = await store.query<{ app_id: number }>(sql`select app_id from apps order by app_id`)
  for (const month of await listMonths(store, 'messages')) {
    if (job.signal?.aborted) return
    if (await isPast(job, month, longestDays)) {
      for (const { app_id } of apps) await deleteBatches(job, month, app_id)
      if (job.signal?.aborted) return
      for (const table of tables) await dropMonth(store, monthOf(table, month))
      log.info(`dropped the old messages of ${month.partition}`)
      continue
    }
    for (const { appId, days } of shorter) {
      if (!(await isPast(job, month, days, appId))) continue
      await deleteBatches(job, month, appId)
      for (const table of tables) {
        const { partition } = monthOf(table, month)
        await deleteRowsOfMonth(store, { table: partition, month, appId }, job.signal)
      }
    }
  }
}

/** Most months are not past at all; only of those that may be, the messages are looked at. */
async function isPast(job: Job, month: Month, days: number, appId?: number): Promise<boolean> {
  const before = new Date(Number(job.now()) - days * DAY)
  if (month.endsAt >= before) return false
  const [row] = await job.store.query<{ is_needed: boolean }>(sql`
    select exists (
      select from messages
      where id >= ${firstIdAt(month.startsAt)} and id < ${firstIdAt(month.endsAt)} and expires_at >= ${before}
        ${appId === undefined ? empty : sql`and app_id = ${appId}`}) as is_needed`)
  return row?.is_needed === false
}

function monthOf(table: PartitionedTable, month: Month): Month {
  return { ...month, partition: `${table}${month.partition.slice('messages'.length)}` }
}

async function deleteBatches(job: Job, month: Month, appId: number): Promise<void> {
  await deleteRowsOfMonth(job.store, { table: 'delivery_batches', column: 'message_id', month, appId }, job.signal)
}
