import sql, { raw } from 'sql-template-tag'
import type { Database, Store, Transaction } from '#base/store/store.ts'
import { followedTables } from './followed-tables.ts'

export const publication = 'peyk_segments'
/** A moment of PostgreSQL's log. */
export interface LogPosition {
  position: number
  /** Another one after a fail-over: then the log is another one, too, and its positions cannot be compared. */
  timeline: number
}

/**
 * A position of the log before which all is that anybody can see: a commit is seen when it has been flushed. Whoever
 * follows the log reads whole records, and where flushing stopped at the end of a page, the rest of a record may be
 * flushed much later, when somebody commits: so something small is committed.
 */
export async function readLogPosition(database: Database): Promise<LogPosition> {
  const [row] = await database.query<LogPosition>(
    sql`select ${timeline}, pg_wal_lsn_diff(case ${bytesInPage}
            when 0 then pg_logical_emit_message(true, 'peyk', '') else flushed end, '0/0') as position
        from ${flushedLog}`,
    'log-position',
  )
  return row as LogPosition
}

/** The same for a transaction that goes on, and commits nothing for it: undefined where that would have to be done. */
export async function findLogPosition(tx: Transaction): Promise<LogPosition | undefined> {
  const [row] = await tx.query<LogPosition>(
    sql`select ${timeline}, pg_wal_lsn_diff(flushed, '0/0') as position from ${flushedLog} where ${bytesInPage} > 0`,
    'log-position-in-transaction',
  )
  return row
}

const flushedLog = sql`(select pg_current_wal_flush_lsn() as flushed offset 0) as log`
const timeline = sql`('x' || left(pg_walfile_name(flushed), 8))::bit(32)::int as timeline`
const bytesInPage = sql`mod(pg_wal_lsn_diff(flushed, '0/0'), current_setting('wal_block_size')::integer)`

/** Why the server's log cannot be followed by us, if it cannot. */
export async function findObstacle(database: Database): Promise<string | undefined> {
  const [row] = await database.query<{ wal_level: string; commits: string; may_follow: boolean; may_publish: boolean }>(
    sql`select current_setting('wal_level') as wal_level, current_setting('synchronous_commit') as commits, rolreplication or rolsuper as may_follow,
          has_database_privilege(current_database(), 'CREATE')
            or exists (select from pg_publication where pubname = ${publication}) as may_publish
        from pg_roles where rolname = current_user`,
  )
  if (row?.wal_level !== 'logical') return `PostgreSQL has wal_level = ${row?.wal_level}, and logical is needed`
  if (row.commits === 'off') return 'PostgreSQL has synchronous_commit = off'
  if (!row.may_follow) return 'the role of PEYK_DATABASE_URL has no REPLICATION'
  return row.may_publish ? undefined : 'the role of PEYK_DATABASE_URL may not CREATE a publication in the database'
}

/** By PostgreSQL's estimate: whether some app may have as many installations as an index begins with. */
export async function mayNeedIndex(database: Database, atLeast: number): Promise<boolean> {
  const [row] = await database.query<{ may_need: boolean }>(
    sql`select coalesce((select reltuples >= ${atLeast} from pg_class where oid = to_regclass('installations')), false) as may_need`,
  )
  return row?.may_need === true
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
