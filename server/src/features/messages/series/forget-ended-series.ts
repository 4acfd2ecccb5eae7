import sql from 'sql-template-tag'
import type { Store } from '#base/store/store.ts'

const rowsAtOnce = 1_000

/** A series stays known for 90 days after its end. Its messages name it as long as they are kept. */
export async function forgetEndedSeries({ store, signal }: { store: Store; signal?: AbortSignal }): Promise<void> {
  const statement = sql`
    delete from series where (app_id, id) in (
      select app_id, id from series where ended_at < peyk_now() - interval '90 days' limit ${rowsAtOnce})
    returning 1`
  while (!signal?.aborted && (await store.query(statement)).length === rowsAtOnce);
}
