import sql from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'

export interface InstallationCounts {
  appId: number
  installations: number
  activeInstallations: number
}

/** What a job has counted of the installations of an app. */
export async function recordInstallations(database: Database, counts: InstallationCounts): Promise<void> {
  const { appId, installations, activeInstallations } = counts
  await database.query(
    sql`insert into usage_days (app_id, day, installations, active_installations, counted_at)
        values (${appId}, peyk_now()::date, ${installations}, ${activeInstallations}, peyk_now())
        on conflict (app_id, day) do update set installations = excluded.installations,
          active_installations = excluded.active_installations, counted_at = excluded.counted_at`,
    'record-installations',
  )
}

/** How many are connected now; the most of a day is kept. */
export async function recordConnections(
  database: Database,
  counts: readonly { appId: number; connections: number }[],
): Promise<void> {
  await database.query(
    sql`insert into usage_days as u (app_id, day, connections)
        select k.app_id, peyk_now()::date, k.connections
        from unnest(${counts.map(({ appId }) => appId)}::int[], ${counts.map(({ connections }) => connections)}::bigint[])
          as k (app_id, connections)
        order by k.app_id
        on conflict (app_id, day) do update set connections = excluded.connections
          where u.connections is null or u.connections < excluded.connections`,
    'record-connections',
  )
}

/** What a job has counted of the deliveries of a day; a provider without any is kept as a day that was counted. */
export async function recordProviders(
  database: Database,
  { appId, day, counts }: { appId: number; day: string; counts: ReadonlyMap<string, number> },
): Promise<void> {
  await database.query(
    sql`insert into usage_providers (app_id, day, provider, deliveries)
        select ${appId}, ${day}::date, provider, deliveries
        from unnest(${[...counts.keys()]}::text[], ${[...counts.values()]}::bigint[]) as k (provider, deliveries)
        on conflict (app_id, day, provider) do update set deliveries = excluded.deliveries`,
    'record-providers',
  )
}
