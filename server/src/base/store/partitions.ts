import sql, { raw } from 'sql-template-tag'
import { firstIdAt } from '../ids.ts'
import { lockTables } from './lock-tables.ts'
import type { Store, Transaction } from './store.ts'
import { isStoreAway } from './store-error.ts'

/** Tables cut by month along a UUIDv7. */
export const partitionedTables = [
  'events',
  'messages',
  'message_users',
  'deliveries',
  'delivery_attempts',
  'receipts',
] as const
export type PartitionedTable = (typeof partitionedTables)[number]

interface MonthRange {
  first: number
  last: number
}

interface NewMonth {
  name: string
  startsAt: Date
  /** Ids of the month: from the first on, up to and without the second. */
  from: string
  to: string
}

/** What could not be made now. Until it is, rows of these months go to the default partition, where they are found too. */
export interface MissingMonths {
  table: PartitionedTable
  months: { name: string; startsAt: Date }[]
  reason: string
}

/**
 * Ahead, so that a month is there long before it begins even if it cannot be made for weeks. No further: each of them
 * costs the statements that look into all.
 */
const defaultMonths: MonthRange = { first: -1, last: 3 }
/** What a start waits for. The others are made by the worker. */
export const monthsAtStart: MonthRange = { first: -1, last: 1 }

/**
 * Makes the months that are missing; a default partition takes what a wrong clock brings. Each table has a transaction
 * of its own, and none of them waits for readers: what they leave no gap for is answered, to be tried again later.
 */
export async function createPartitions(
  store: Store,
  now: Date,
  months: MonthRange = defaultMonths,
): Promise<MissingMonths[]> {
  const missing: MissingMonths[] = []
  for (const table of partitionedTables) {
    const wanted = listWanted(table, now, months)
    const lacking = await findLacking(store, table, wanted)
    if (lacking.length === 0) continue
    try {
      await store.transaction((tx) => createMonths(tx, table, wanted))
    } catch (error) {
      if (isStoreAway(error)) throw error
      missing.push({ table, months: lacking, reason: (error as Error).message })
    }
  }
  return missing
}

function listWanted(table: PartitionedTable, now: Date, { first, last }: MonthRange): NewMonth[] {
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const startsAt = monthStart(now, first + index)
    return {
      name: partitionName(table, startsAt),
      startsAt,
      from: firstIdAt(startsAt),
      to: firstIdAt(monthStart(startsAt, 1)),
    }
  })
}

/** The default partition is made here, too: without it nothing could be stored at all. */
async function findLacking(store: Store, table: PartitionedTable, wanted: readonly NewMonth[]): Promise<NewMonth[]> {
  const lacking = lackingOf(wanted, await listPartitions(store, table))
  if (lacking.hasDefault) return lacking.months
  await store.transaction(async (tx) => {
    await lockMaking(tx)
    if (lackingOf(wanted, await listPartitions(tx, table)).hasDefault) return
    await tx.query(raw(`create table ${table}_other partition of ${table} default`))
  })
  return lacking.months
}

function lackingOf(wanted: readonly NewMonth[], there: readonly string[]) {
  const names = new Set(there.map((name) => name.replace(/^.*_/, '')))
  return {
    hasDefault: names.has('other'),
    months: wanted.filter(({ name }) => !names.has(name.replace(/^.*_/, ''))),
  }
}

async function listPartitions(database: Pick<Store, 'query'>, table: PartitionedTable): Promise<string[]> {
  const rows = await database.query<{ name: string }>(sql`
    select c.relname as name from pg_inherits join pg_class c on c.oid = inhrelid where inhparent = ${table}::regclass`)
  return rows.map(({ name }) => name)
}

async function lockMaking(tx: Transaction): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(7394012)`)
}

const keyOf = (table: PartitionedTable) => (table === 'events' || table === 'messages' ? 'id' : 'message_id')

/**
 * Made apart and attached, so that rows of a month which went to the default partition move over first. All that needs
 * no strong lock comes before the lock. Of the default partition, because attaching looks whether it has such rows.
 */
async function createMonths(tx: Transaction, table: PartitionedTable, wanted: readonly NewMonth[]): Promise<void> {
  await lockMaking(tx)
  const { months } = lackingOf(wanted, await listPartitions(tx, table))
  if (months.length === 0) return
  const key = keyOf(table)
  for (const { name, from, to } of months) {
    await tx.query(raw(`create table ${name} (like ${table} including all)`))
    await tx.query(
      raw(`
      with moved as (delete from ${table}_other where ${key} >= '${from}' and ${key} < '${to}' returning *)
      insert into ${name} select * from moved`),
    )
  }
  await lockTables(tx, [`${table}_other`])
  await tx.query(sql`set local statement_timeout = '5s'`)
  for (const { name, from, to } of months)
    await tx.query(raw(`alter table ${table} attach partition ${name} for values from ('${from}') to ('${to}')`))
}

function partitionName(table: string, month: Date) {
  return `${table}_${month.getUTCFullYear()}${String(month.getUTCMonth() + 1).padStart(2, '0')}`
}

function monthStart(at: Date, offset: number) {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + offset))
}
