import sql, { raw } from 'sql-template-tag'
import type { Database, Store } from '../../../base/store/store.ts'
import { followedTables } from './followed-tables.ts'

export const publication = 'peyk_segments'

/** Where in the log all is that anybody can see: it is written before, unless the server puts that off. */
export async function readLogPosition(database: Database): Promise<number> {
  const [row] = await database.query<{ position: number }>(
    sql`select pg_wal_lsn_diff(
          case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end,
          '0/0') as position`,
    'log-position',
  )
  return row?.position as number
}

/** Why the server's log cannot be followed by us, if it cannot. */
export async function findObstacle(database: Database): Promise<string | undefined> {
  const [row] = await database.query<{ wal_level: string; may_follow: boolean; may_publish: boolean }>(
    sql`select current_setting('wal_level') as wal_level, rolreplication or rolsuper as may_follow,
          has_database_privilege(current_database(), 'CREATE')
            or exists (select from pg_publication where pubname = ${publication}) as may_publish
        from pg_roles where rolname = current_user`,
  )
  if (row?.wal_level !== 'logical') return `PostgreSQL has wal_level = ${row?.wal_level}, and logical is needed`
  if (!row.may_follow) return 'the role of PEYK_DATABASE_URL has no REPLICATION'
  return row.may_publish ? undefined : 'the role of PEYK_DATABASE_URL may not CREATE a publication in the database'
}

export async function hasInstallations(database: Database, appId: number, atLeast: number): Promise<boolean> {
  const [row] = await database.query<{ count: number }>(
    sql`select count(*) as count
        from (select from installations where app_id = ${appId} and uninstalled_at is null limit ${atLeast}) as first`,
  )
  return (row?.count ?? 0) >= atLeast
}

/** Names the tables whose changes are told. */
export async function preparePublication(store: Store): Promise<void> {
  const names = followedTables.map((table) => table.name)
  const [row] = await store.query<{ count: number }>(
    sql`select count(*) as count from pg_publication_tables
        where pubname = ${publication} and schemaname = current_schema() and tablename = any(${names}::text[])`,
  )
  if (row?.count === names.length) return
  await store.transaction(async (tx) => {
    await tx.query(raw(`set local lock_timeout = '2s'`))
    await tx.query(raw(`drop publication if exists ${publication}`))
    await tx.query(raw(`create publication ${publication} for table ${names.join(', ')}`))
  })
}
