import sql from 'sql-template-tag'
import type { Store } from '#base/store/store.ts'

const rowsAtOnce = 10_000

/** Messages that were cancelled before they went stay known for 90 days. */
export async function forgetCancelled({ store, signal }: { store: Store; signal?: AbortSignal }): Promise<void> {
  const statement = sql`
    delete from scheduled_messages where (app_id, id) in (
      select app_id, id from scheduled_messages where cancelled_at < peyk_now() - interval '90 days' limit ${rowsAtOnce})
    returning 1`
  while (!signal?.aborted && (await store.query(statement)).length === rowsAtOnce);
}
