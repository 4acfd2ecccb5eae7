import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { firstIdAt } from '../ids.ts'
import { lockTables } from './lock-tables.ts'
import type { PartitionedTable } from './partitions.ts'
import type { Database, Store, Transaction } from './store.ts'

/** One month of a table that is cut by month. */
export interface Month {
  partition: string
  startsAt: Date
  endsAt: Date
}

export async function listMonths(store: Store, table: PartitionedTable): Promise<Month[]> {
  const rows = await store.query<{ name: string }>(sql`
    select c.relname as name from pg_inherits join pg_class c on c.oid = inhrelid
    where inhparent = ${table}::regclass and c.relname ~ '_[0-9]{6}$' order by 1`)
  return rows.map(({ name }) => {
    const [year, month] = [Number(name.slice(-6, -2)), Number(name.slice(-2))]
    return { partition: name, startsAt: new Date(Date.UTC(year, month - 1)), endsAt: new Date(Date.UTC(year, month)) }
  })
}

export async function dropMonth(store: Store, month: Month): Promise<void> {
  await store.transaction((tx) => dropMonths(tx, [month]))
}

/** Fails when readers leave no gap, to be tried again later. */
export async function dropMonths(tx: Transaction, months: readonly Month[]): Promise<void> {
  const there = await tx.query<{ name: string; parent: string }>(sql`
    select c.relname as name, inhparent::regclass::text as parent from pg_inherits join pg_class c on c.oid = inhrelid
    where c.relname = any(${months.map(({ partition }) => partition)})`)
  if (there.length === 0) return
  await lockTables(
    tx,
    there.flatMap(({ name, parent }) => [parent, name]),
  )
  for (const { name } of there) await tx.query(sql`drop table ${raw(name)}`)
}

const rowsPerChunk = 5_000

/** Deletes an app's rows chunk by chunk: all of a month's, or those whose `column` holds an id of that month. */
export async function deleteRowsOfMonth(
  database: Database,
  where: { table: string; column?: string; month: Month; appId: number },
  signal?: AbortSignal,
): Promise<number> {
  const { table, column, month, appId } = where
  const inMonth: Sql = column
    ? sql`and ${raw(column)} >= ${firstIdAt(month.startsAt)} and ${raw(column)} < ${firstIdAt(month.endsAt)}`
    : empty
  let deleted = 0
  while (!signal?.aborted) {
    const rows = await database.query(sql`
      delete from ${raw(table)} where ctid = any(array(
        select ctid from ${raw(table)} where app_id = ${appId} ${inMonth} limit ${rowsPerChunk}))
      returning 1`)
    deleted += rows.length
    if (rows.length < rowsPerChunk) break
  }
  return deleted
}
