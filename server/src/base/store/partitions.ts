import sql, { raw } from 'sql-template-tag'
import { firstIdAt } from '../ids.ts'
import type { Store } from './store.ts'

/** Tables cut by month along a UUIDv7. */
export const partitionedTables = ['events', 'messages', 'message_users', 'deliveries', 'receipts'] as const
export type PartitionedTable = (typeof partitionedTables)[number]

const monthsAhead = 3

/** Months are made from the last one on, three ahead; a default partition takes what a wrong clock brings. */
export async function createPartitions(store: Store, now: Date): Promise<void> {
  await store.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(7394012)`)
    const existing = await tx.query<{ name: string }>(sql`
      select c.relname as name from pg_inherits join pg_class c on c.oid = inhrelid where c.relnamespace = current_schema()::regnamespace`)
    const names = new Set(existing.map((row) => row.name))
    for (const table of partitionedTables) {
      if (!names.has(`${table}_other`)) await tx.query(raw(`create table ${table}_other partition of ${table} default`))
      for (let offset = -1; offset <= monthsAhead; offset++) {
        const month = monthStart(now, offset)
        const name = partitionName(table, month)
        if (names.has(name)) continue
        const bounds = `from ('${firstIdAt(month)}') to ('${firstIdAt(monthStart(month, 1))}')`
        await tx.query(raw(`create table ${name} partition of ${table} for values ${bounds}`))
      }
    }
  })
}

/** Drops the months that ended more than so many days ago, and says which. */
export async function dropPartitions(
  store: Store,
  table: PartitionedTable,
  keepDays: number,
  now: Date,
): Promise<string[]> {
  const existing = await store.query<{ name: string }>(sql`
    select c.relname as name from pg_inherits join pg_class c on c.oid = inhrelid
    where inhparent = ${table}::regclass and c.relname ~ '_[0-9]{6}$' order by 1`)
  const dropped: string[] = []
  for (const { name } of existing) {
    const month = new Date(Date.UTC(Number(name.slice(-6, -2)), Number(name.slice(-2)) - 1))
    if (Number(now) - Number(monthStart(month, 1)) <= keepDays * 86_400_000) continue
    await store.query(raw(`drop table ${name}`))
    dropped.push(name)
  }
  return dropped
}

function partitionName(table: string, month: Date) {
  return `${table}_${month.getUTCFullYear()}${String(month.getUTCMonth() + 1).padStart(2, '0')}`
}

function monthStart(at: Date, offset: number) {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + offset))
}
