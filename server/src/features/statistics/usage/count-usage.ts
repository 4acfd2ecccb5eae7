import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import { recordConnections } from '../../accounts/quotas/counts-store.ts'
import { isHeld } from '../../installations/connections/is-connected-now.ts'
import { countAppInstallations } from './count-app-installations.ts'

type Job = Pick<Context, 'store' | 'now'> & { signal?: AbortSignal }

/** Counts what nobody adds up: who is connected, and the installations of apps with a quota of them; of the others once an hour. */
export async function countUsage({ store, signal }: Job): Promise<void> {
  const connected = await store.query<{ app_id: number; count: number }>(
    sql`select c.app_id, count(*) from connections c where ${isHeld} group by c.app_id order by c.app_id`,
    'count-all-connected',
  )
  const counts = connected.map(({ app_id, count }) => ({ appId: app_id, connections: count }))
  if (counts.length > 0) await recordConnections(store, counts)
  for (const appId of await listDue(store)) {
    if (signal?.aborted) return
    await countAppInstallations(store, appId)
  }
}

async function listDue(store: Job['store']): Promise<number[]> {
  const rows = await store.query<{ app_id: number }>(
    sql`select a.app_id from apps a
        where a.quotas ? 'installations' or not exists (
          select from usage_days d where d.app_id = a.app_id and d.day = peyk_now()::date
            and d.counted_at > peyk_now() - interval '1 hour')
        order by a.app_id`,
    'list-apps-to-count',
  )
  return rows.map(({ app_id }) => app_id)
}
