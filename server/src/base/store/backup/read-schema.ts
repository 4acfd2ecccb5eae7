import sql, { raw } from 'sql-template-tag'
import type { Database } from '../store.ts'
import type { NumberedColumn, Partition, TableShape } from './backup-header.ts'
import { orderTables, type Reference } from './order-tables.ts'
import { quoteName } from './quote-name.ts'

export interface Schema {
  /** Without partitions, in an order in which they can be filled. */
  tables: TableShape[]
  partitions: Partition[]
}

const inOurSchema = sql`c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
  and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`

/** The tables that rows are copied to and from: not the partitions, which their table speaks for, and not what extensions brought. */
export async function listTables(database: Database): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    sql`select c.relname as name from pg_class c where ${inOurSchema} and not c.relispartition order by 1`,
  )
  return rows.map(({ name }) => name)
}

export async function readSchema(database: Database): Promise<Schema> {
  const tables = await database.query<TableShape>(sql`
    select c.relname as name, array(
      select a.attname::text from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns
    from pg_class c where ${inOurSchema} and not c.relispartition and c.relname <> 'migrations'`)
  const references = await database.query<Reference>(sql`
    select c.relname as from, t.relname as to from pg_constraint r
    join pg_class c on c.oid = r.conrelid join pg_class t on t.oid = r.confrelid
    where r.contype = 'f' and ${inOurSchema}`)
  const partitions = await database.query<Partition>(sql`
    select c.relname as name, t.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class t on t.oid = i.inhparent
    where ${inOurSchema} and c.relispartition order by 1`)
  return { tables: orderTables(tables, references), partitions }
}

/**
 * Where the numbers of the columns go on that number themselves. Sequences are outside of all transactions: asked after a
 * snapshot was taken, they are at least as far as its rows.
 */
export async function readNumbers(database: Database): Promise<NumberedColumn[]> {
  const columns = await database.query<{ table: string; column: string; sequence: string }>(sql`
    select c.relname as table, a.attname as column, s.relname as sequence
    from pg_class s
    join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = s.oid and d.refobjsubid > 0 and d.deptype in ('a', 'i')
    join pg_class c on c.oid = d.refobjid join pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid
    where s.relkind = 'S' and ${inOurSchema} and not c.relispartition order by 1, 2`)
  const numbers: NumberedColumn[] = []
  for (const { table, column, sequence } of columns) {
    const [row] = await database.query<{ last: string; isCalled: boolean }>(
      sql`select last_value::text as last, is_called as "isCalled" from ${raw(quoteName(sequence))}`,
    )
    if (row) numbers.push({ table, column, ...row })
  }
  return numbers
}

export async function readMigrations(database: Database): Promise<string[]> {
  const rows = await database.query<{ name: string }>(sql`select name from migrations order by name`)
  return rows.map(({ name }) => name)
}
