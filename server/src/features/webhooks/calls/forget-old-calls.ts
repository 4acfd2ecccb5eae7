import sql from 'sql-template-tag'
import type { Store } from '#base/store/store.ts'

const rowsAtOnce = 10_000

/** Calls and their log are kept for a week, also those that still wait for a webhook that is disabled. */
export async function forgetOldCalls({ store, signal }: { store: Store; signal?: AbortSignal }): Promise<void> {
  const statements = [
    sql`delete from webhook_calls where ctid = any(array(
          select ctid from webhook_calls where created_at < peyk_now() - interval '7 days' limit ${rowsAtOnce}))
        returning 1`,
    sql`delete from webhook_attempts where ctid = any(array(
          select ctid from webhook_attempts where attempted_at < peyk_now() - interval '7 days' limit ${rowsAtOnce}))
        returning 1`,
  ]
  for (const statement of statements) {
    while (!signal?.aborted && (await store.query(statement)).length === rowsAtOnce);
  }
}
