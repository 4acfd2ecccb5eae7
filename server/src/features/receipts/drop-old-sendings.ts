import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { firstIdAt } from '#base/ids.ts'
import type { Logger } from '#base/log.ts'
import { provenTime } from '#base/store/clock/proven-time.ts'
import { deleteRowsOfMonth, dropMonths, listMonths, type Month } from '#base/store/months.ts'
import type { PartitionedTable } from '#base/store/partitions.ts'
import type { Store, Transaction } from '#base/store/store.ts'
import { defaultRetention } from '../accounts/apps/retention.ts'
import { moveCountersToCampaigns } from '../deliveries/progress/move-counters-to-campaigns.ts'
import { readRetention } from '../events/upkeep/retention-days.ts'

interface Job {
  store: Store
  now(): Date
  log: Logger
  signal?: AbortSignal
}

const DAY = 86_400_000

/** What there is of a message, cut by month. */
const tables = [
  'receipts',
  'delivery_attempts',
  'deliveries',
  'message_users',
  'messages',
] as const satisfies readonly PartitionedTable[]
/** And what is not. */
const wholeTables = ['delivery_batches', 'message_paces', 'message_ends', 'sms_fallbacks', 'recall_batches', 'recalls']

/**
 * [users-and-events.md#how-long-data-is-kept] Whole months of messages and their deliveries, when the last message of
 * it has been expired for so long.
 */
export async function dropOldSendings(job: Job): Promise<void> {
  const { store, log } = job
  const at = await provenTime(store, job.now())
  const before = (days: number) => new Date(Number(at) - days * DAY)
  const { longestDays, shorter } = await readRetention(store, 'deliveriesDays', defaultRetention.deliveriesDays)
  const apps = await store.query<{ app_id: number }>(sql`select app_id from apps order by app_id`)
  for (const month of await listMonths(store, 'messages')) {
    if (job.signal?.aborted) return
    if (await isPast(store, month, before(longestDays))) {
      const appIds = apps.map((app) => app.app_id)
      await store.transaction((tx) => dropForAll(tx, month, appIds))
      log.info(`dropped the old messages of ${month.partition}`)
      continue
    }
    for (const { appId, days } of shorter)
      if (await isPast(store, month, before(days), appId)) await dropForOne(job, month, appId)
  }
}

/** One transaction: campaigns are counted with these messages, or without them and with what was kept of their counts. */
async function dropForAll(tx: Transaction, month: Month, appIds: readonly number[]): Promise<void> {
  await tx.query(sql`set local statement_timeout = 0`)
  for (const appId of appIds) {
    await moveCountersToCampaigns(tx, { appId, which: inMonth(month) })
    for (const table of wholeTables) await deleteRowsOfMonth(tx, { table, column: 'message_id', month, appId })
  }
  await dropMonths(
    tx,
    tables.map((table) => monthOf(table, month)),
  )
}

const messagesPerChunk = 1_000

/** The messages first, with their counters; what hangs on them is not needed any more then. */
async function dropForOne(job: Job, month: Month, appId: number): Promise<void> {
  const { store, signal } = job
  let dropped = messagesPerChunk
  while (dropped === messagesPerChunk && !signal?.aborted) {
    dropped = await store.transaction((tx) => dropMessages(tx, month, appId))
  }
  for (const table of wholeTables) await deleteRowsOfMonth(store, { table, column: 'message_id', month, appId }, signal)
  for (const table of tables) {
    const { partition } = monthOf(table, month)
    await deleteRowsOfMonth(store, { table: partition, month, appId }, signal)
  }
}

async function dropMessages(tx: Transaction, month: Month, appId: number): Promise<number> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from ${raw(month.partition)} where app_id = ${appId} order by id limit ${messagesPerChunk} for update`)
  const ids = rows.map((row) => row.id)
  await moveCountersToCampaigns(tx, { appId, which: sql`m.id = any(${ids}::uuid[])` })
  await tx.query(sql`delete from ${raw(month.partition)} where app_id = ${appId} and id = any(${ids}::uuid[])`)
  return ids.length
}

function inMonth({ startsAt, endsAt }: Month): Sql {
  return sql`m.id >= ${firstIdAt(startsAt)} and m.id < ${firstIdAt(endsAt)}`
}

/** Most months are not past at all; only of those that may be, the messages are looked at. */
async function isPast(store: Store, month: Month, before: Date, appId?: number): Promise<boolean> {
  if (month.endsAt >= before) return false
  const [row] = await store.query<{ is_needed: boolean }>(sql`
    select exists (
      select from messages
      where id >= ${firstIdAt(month.startsAt)} and id < ${firstIdAt(month.endsAt)} and expires_at >= ${before}
        ${appId === undefined ? empty : sql`and app_id = ${appId}`}) as is_needed`)
  return row?.is_needed === false
}

function monthOf(table: PartitionedTable, month: Month): Month {
  return { ...month, partition: `${table}${month.partition.slice('messages'.length)}` }
}
