import sql from 'sql-template-tag'
import type { Database, Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'

/** The holder of a connection that is over. */
export const nobody = '00000000-0000-0000-0000-000000000000'

export interface ConnectionRow {
  appId: number
  installationNo: number
  holder: string
  connectionId: string
}

export interface ReplacedConnection {
  app_id: number
  installation_no: number
  holder: string
  connection_id: string
  /** Null: nobody knows what was sent over it. */
  unacknowledged: string[] | null
}

/** Who holds the connection of each of these installations; those that nobody holds are not among them. */
export async function findHolders(
  database: Database,
  keys: readonly { appId: number; installationNo: number }[],
): Promise<Map<number, string>> {
  const rows = await database.query<{ installation_no: number; holder: string }>(
    sql`select c.installation_no, c.holder
        from ${unnestRows(keys, 'k', {
          app_id: ['int', ({ appId }) => appId],
          installation_no: ['bigint', ({ installationNo }) => installationNo],
        })}
        cross join lateral (
          select installation_no, holder from connections
          where app_id = k.app_id and installation_no = k.installation_no and holder <> ${nobody} offset 0
        ) c`,
    'find-holders',
  )
  return new Map(rows.map((row) => [row.installation_no, row.holder]))
}

/** Answers what was there before. Each installation once; they are locked. */
export async function replaceConnections(
  tx: Transaction,
  rows: readonly ConnectionRow[],
): Promise<ReplacedConnection[]> {
  const replaced = await tx.query<ReplacedConnection>(
    sql`select c.app_id, c.installation_no, c.holder, c.connection_id, c.unacknowledged
        from ${unnestRows(rows, 'k', {
          app_id: ['int', ({ appId }) => appId],
          installation_no: ['bigint', ({ installationNo }) => installationNo],
        })}
        join connections c using (app_id, installation_no)`,
    'read-replaced-connections',
  )
  await tx.query(
    sql`insert into connections (app_id, installation_no, holder, connection_id)
        select app_id, installation_no, holder, connection_id
        from ${unnestRows(rows, 'c', {
          app_id: ['int', ({ appId }) => appId],
          installation_no: ['bigint', ({ installationNo }) => installationNo],
          holder: ['uuid', ({ holder }) => holder],
          connection_id: ['uuid', ({ connectionId }) => connectionId],
        })}
        order by app_id, installation_no
        on conflict (app_id, installation_no) do update
        set holder = excluded.holder, connection_id = excluded.connection_id, is_open = true, connected_at = peyk_now(),
          unacknowledged = '{}', left_at = null`,
    'replace-connections',
  )
  return replaced.map((row) => (row.holder === nobody ? row : { ...row, unacknowledged: null }))
}

export interface EndedConnection {
  appId: number
  installationNo: number
  connectionId: string
  /** Undefined if it is not known what was sent over it. */
  unacknowledged: readonly string[] | undefined
  /** It ended without the client's doing, so the client is expected back. */
  mayReturn?: boolean | undefined
}

/** Those that were replaced meanwhile are left alone. */
export async function endConnections(database: Database, ended: readonly EndedConnection[]): Promise<void> {
  await database.query(
    sql`
      with ended as materialized (
        select c.app_id, c.installation_no, k.unacknowledged, k.may_return
        from ${unnestRows(ended, 'k', {
          app_id: ['int', ({ appId }) => appId],
          installation_no: ['bigint', ({ installationNo }) => installationNo],
          connection_id: ['uuid', ({ connectionId }) => connectionId],
          unacknowledged: ['text', ({ unacknowledged }) => unacknowledged && `{${unacknowledged.join(',')}}`],
          may_return: ['boolean', ({ mayReturn = false }) => mayReturn],
        })}
        join connections c using (app_id, installation_no, connection_id)
        where c.holder <> ${nobody}
        order by c.app_id, c.installation_no for update of c
      ), gone as (
        delete from connections c using ended k
        where c.app_id = k.app_id and c.installation_no = k.installation_no and k.unacknowledged = '{}' and not k.may_return
      )
      update connections c
      set holder = ${nobody}, unacknowledged = k.unacknowledged::uuid[], left_at = case when k.may_return then peyk_now() end
      from ended k
      where c.app_id = k.app_id and c.installation_no = k.installation_no and (k.unacknowledged is distinct from '{}' or k.may_return)`,
    'end-connections',
  )
}

export interface ForegroundChange {
  appId: number
  installationNo: number
  connectionId: string
  isOpen: boolean
}

export async function changeForegrounds(database: Database, changes: readonly ForegroundChange[]): Promise<void> {
  await database.query(
    sql`update connections c set is_open = k.is_open
        from ${unnestRows(changes, 'k', {
          app_id: ['int', ({ appId }) => appId],
          installation_no: ['bigint', ({ installationNo }) => installationNo],
          connection_id: ['uuid', ({ connectionId }) => connectionId],
          is_open: ['boolean', ({ isOpen }) => isOpen],
        })}
        where c.app_id = k.app_id and c.installation_no = k.installation_no and c.connection_id = k.connection_id`,
    'change-foregrounds',
  )
}

/** Ends the connection of an installation from outside. Answers its id, so that its line can be closed. */
export async function cutConnection(
  tx: Transaction,
  { appId, installationNo }: { appId: number; installationNo: number },
): Promise<string | undefined> {
  const [row] = await tx.query<{ connection_id: string }>(
    sql`update connections set holder = ${nobody}, unacknowledged = null, left_at = null
        where app_id = ${appId} and installation_no = ${installationNo} and holder <> ${nobody}
        returning connection_id`,
    'cut-connection',
  )
  return row?.connection_id
}
