import sql, { raw } from 'sql-template-tag'
import { firstIdAt } from '../ids.ts'
import type { Store, Transaction } from './store.ts'

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

const usualMonths = { first: -1, last: 3 }

/** Months are made from the last one on, three ahead; a default partition takes what a wrong clock brings. */
export async function createPartitions(store: Store, now: Date, months = usualMonths): Promise<void> {
  await store.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(7394012)`)
    const existing = await tx.query<{ name: string }>(sql`
      select c.relname as name from pg_inherits join pg_class c on c.oid = inhrelid where c.relnamespace = current_schema()::regnamespace`)
    const names = new Set(existing.map((row) => row.name))
    for (const table of partitionedTables) {
      if (!names.has(`${table}_other`)) await tx.query(raw(`create table ${table}_other partition of ${table} default`))
      for (let offset = months.first; offset <= months.last; offset++) {
        const month = monthStart(now, offset)
        const name = partitionName(table, month)
        if (names.has(name)) continue
        await createMonth(tx, table, name, firstIdAt(month), firstIdAt(monthStart(month, 1)))
      }
    }
  })
}

/** Made apart and attached, so that rows of this month which went to the default partition move over first. */
async function createMonth(tx: Transaction, table: PartitionedTable, name: string, from: string, to: string) {
  const key = table === 'events' || table === 'messages' ? 'id' : 'message_id'
  await tx.query(raw(`create table ${name} (like ${table} including all)`))
  await tx.query(
    raw(`
    with moved as (delete from ${table}_other where ${key} >= '${from}' and ${key} < '${to}' returning *)
    insert into ${name} select * from moved`),
  )
  await tx.query(raw(`alter table ${table} attach partition ${name} for values from ('${from}') to ('${to}')`))
}

function partitionName(table: string, month: Date) {
  return `${table}_${month.getUTCFullYear()}${String(month.getUTCMonth() + 1).padStart(2, '0')}`
}

function monthStart(at: Date, offset: number) {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + offset))
}
