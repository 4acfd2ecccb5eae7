import sql from 'sql-template-tag'
import type { Database } from '../store.ts'

export interface ServerState {
  version: string
  /** How many connections this role may still open to this database. */
  connectionsLeft: number
  workMemBytes: number
  databaseBytes: number
}

/** What PostgreSQL says of itself, as an ordinary role may ask. */
export async function readServer(database: Database): Promise<ServerState> {
  const [row] = await database.query<{ version: string; left: number; work_mem: number; bytes: number }>(sql`
    select split_part(current_setting('server_version'), ' ', 1) as version,
      least(
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
          - coalesce(current_setting('reserved_connections', true)::int, 0)
          - (select sum(numbackends)::int from pg_stat_database),
        (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user)
          - (select count(*)::int from pg_stat_activity where usename = current_user),
        (select nullif(d.datconnlimit, -1) - s.numbackends from pg_database d
         join pg_stat_database s on s.datid = d.oid where d.datname = current_database())
      ) as left,
      pg_size_bytes(current_setting('work_mem')) as work_mem,
      pg_database_size(current_database()) as bytes`)
  if (!row) throw new Error('PostgreSQL answered without a row')
  return {
    version: row.version,
    connectionsLeft: row.left,
    workMemBytes: row.work_mem,
    databaseBytes: row.bytes,
  }
}
