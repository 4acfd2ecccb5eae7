import sql from 'sql-template-tag'
import type { Store } from '#base/store/store.ts'
import { recordInstallations } from '../../accounts/quotas/counts-store.ts'

/** Counts the installations of an app for its usage and quotas: once an hour, and after an import. */
export async function countAppInstallations(store: Store, appId: number): Promise<void> {
  const [row] = await store.query<{ installations: number; active: number }>(
    sql`select count(*) filter (where uninstalled_at is null) as installations,
          count(*) filter (where launched_at >= date_trunc('month', peyk_now())) as active
        from installations where app_id = ${appId}`,
    'count-installations-of-app',
  )
  const counts = { installations: row?.installations ?? 0, activeInstallations: row?.active ?? 0 }
  await recordInstallations(store, { appId, ...counts })
}
