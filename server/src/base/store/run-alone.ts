import sql from 'sql-template-tag'
import { runAsService } from './connection-scope.ts'
import type { Store } from './store.ts'

const lockClass = 7394014
const heartbeatMs = 20_000

/**
 * Runs the work unless another process is at the work of this name; answers whether it ran. The lock is a transaction's
 * that stays open meanwhile: PostgreSQL drops it with the connection, so a crash leaves nothing locked.
 */
export async function runAlone(store: Store, name: string, work: () => Promise<unknown>): Promise<boolean> {
  return store.transaction(async (tx) => {
    const [row] = await tx.query<{ is_free: boolean }>(
      sql`select pg_try_advisory_xact_lock(${lockClass}, hashtext(${name})) as is_free`,
    )
    if (!row?.is_free) return false
    // An idle transaction would be ended after a minute.
    const heartbeat = setInterval(() => tx.query(sql`select 1`).catch(() => undefined), heartbeatMs)
    try {
      // Its transaction is only the lock: what the work does is outside of it.
      await runAsService(work)
    } finally {
      clearInterval(heartbeat)
    }
    return true
  })
}
