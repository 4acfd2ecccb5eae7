import type { PostgresConnection } from '@peyk/server/base/store/embedded/postgres-connection.ts'
import { raw } from 'sql-template-tag'
import { withDatabase } from '../measure/cluster.ts'
import { fill } from './fill.ts'

interface IndexRow {
  drop: string
  make: string
}

/** Large tables are filled several times as fast before they have indexes and keys, which are made afterwards. */
export async function withoutIndexes(
  connection: PostgresConnection,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const indexes = await withDatabase(connection, (store) =>
    store.query<IndexRow>(
      raw(`
        select case when c.oid is null then format('drop index %s', i.indexrelid::regclass)
            else format('alter table %s drop constraint %I', i.indrelid::regclass, c.conname) end as drop,
          case when c.oid is null then pg_get_indexdef(i.indexrelid)
            else format('alter table %s add constraint %I %s', i.indrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) end as make
        from pg_index i left join pg_constraint c on c.conindid = i.indexrelid
        where i.indrelid = any(array[${tables.map((table) => `'${table}'`).join(', ')}]::regclass[])`),
    ),
  )
  await fill(
    connection,
    indexes.map(({ drop }) => drop),
  )
  await work()
  await fill(connection, ["set maintenance_work_mem = '1GB'", ...indexes.map(({ make }) => make)])
  await fill(
    connection,
    tables.map((table) => `vacuum analyze ${table}`),
  )
}
