import sql, { raw } from 'sql-template-tag'
import type { Logger } from '#base/log.ts'
import { runAlone } from '#base/store/run-alone.ts'
import type { Store } from '#base/store/store.ts'

/** By what the stream reads each of the tables that are cut by month. */
const columns: Readonly<Record<string, string>> = {
  events: 'id',
  deliveries: 'updated_at',
  receipts: 'received_at',
  messages: 'accepted_at, finished_at, cancelled_at, recalled_at',
}

/**
 * Indexes by the time of arrival, one for each month. They say of a megabyte of rows from when to when it is (BRIN), so they
 * are small, and whoever writes hardly notices them. They are made when the first stream is read: who has none pays nothing.
 * Nobody who writes waits for it, and without them reading is slower, and right.
 */
export async function makeArrivalIndexes({ store, log }: { store: Store; log: Logger }): Promise<void> {
  if ((await findLacking(store)).length === 0) return
  await runAlone(store, 'arrival-indexes', async () => {
    for (const { partition, parent, is_broken } of await findLacking(store)) {
      const name = `${partition}_arrival`
      // Whoever made it was ended meanwhile.
      if (is_broken) await store.maintain(sql`drop index concurrently if exists ${raw(name)}`)
      await store.maintain(
        sql`create index concurrently ${raw(name)} on ${raw(partition)} using brin (${raw(columns[parent] as string)}) with (autosummarize = on)`,
      )
      log.info(`made the index ${name}, for the stream`)
    }
  })
}

async function findLacking(store: Store) {
  return store.query<{ partition: string; parent: string; is_broken: boolean }>(
    sql`select c.relname as partition, p.relname as parent, x.indexrelid is not null as is_broken
        from pg_inherits h
        join pg_class p on p.oid = h.inhparent and p.relkind = 'p'
        join pg_class c on c.oid = h.inhrelid
        left join pg_class own on own.relname = c.relname || '_arrival' and own.relnamespace = c.relnamespace
        left join pg_index x on x.indexrelid = own.oid
        where p.relname = any(${Object.keys(columns)}) and p.relnamespace = current_schema()::regnamespace
          and x.indisvalid is not true
        order by 1 desc`,
    'find-lacking-indexes',
  )
}
