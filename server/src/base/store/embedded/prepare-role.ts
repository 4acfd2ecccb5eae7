import type { Client } from 'pg'
import { hasCode } from './embedded-postgres-error.ts'
import { DATABASE, openClient, type PostgresConnection, SERVICE_ROLE } from './postgres-connection.ts'

const UNKNOWN_DATABASE = '3D000'
const NOT_LET_IN = ['28P01', '28000']
const DUPLICATES = ['42P04', '42710', '23505']

export interface Connections {
  connection: PostgresConnection
  bootstrap: PostgresConnection
}

/**
 * Throws as long as it does not answer. A crash may have come between initdb and the making of our role and database, and
 * a folder of an earlier version has no such role: there everything belongs to the superuser.
 */
export async function prepareRole({ connection, bootstrap }: Connections): Promise<void> {
  if (await ownsEverything(connection)) return
  const administration = await openClient({ ...bootstrap, database: 'postgres' })
  try {
    await unlessThere(administration, `create role ${SERVICE_ROLE} nologin`)
    await unlessThere(administration, `create database ${DATABASE} owner ${SERVICE_ROLE}`)
    await administration.query(`alter database ${DATABASE} owner to ${SERVICE_ROLE}`)
  } finally {
    await administration.end()
  }
  const client = await openClient(bootstrap)
  try {
    await client.query('begin')
    await client.query(takeOver)
    // Last, and with the rest in one commit: who may log in owns everything.
    const password = client.escapeLiteral(connection.password)
    await client.query(`alter role ${SERVICE_ROLE} login replication password ${password}`)
    await client.query('commit')
  } finally {
    await client.end()
  }
}

/** A version of before, started in between, may have left something of its own. */
async function ownsEverything(connection: PostgresConnection): Promise<boolean> {
  let client: Client | undefined
  try {
    client = await openClient(connection)
    const { rows } = await client.query(`
      select from pg_class where relnamespace = 'public'::regnamespace and relowner <> current_user::regrole limit 1`)
    return rows.length === 0
  } catch (error) {
    if (hasCode(error, UNKNOWN_DATABASE) || NOT_LET_IN.some((code) => hasCode(error, code))) return false
    throw error
  } finally {
    await client?.end()
  }
}

/** False as long as the database does not answer. */
export async function isWithoutRole(bootstrap: PostgresConnection): Promise<boolean> {
  const client = await openClient(bootstrap).catch(() => undefined)
  if (!client) return false
  try {
    return (await client.query('select from pg_roles where rolname = $1', [SERVICE_ROLE])).rows.length === 0
  } finally {
    await client.end()
  }
}

async function unlessThere(client: Client, statement: string): Promise<void> {
  try {
    await client.query(statement)
  } catch (error) {
    if (!DUPLICATES.some((code) => hasCode(error, code))) throw error
  }
}

/** Changes names in the catalogue only: no row is touched. What the superuser made with the cluster cannot be reassigned at once. */
const takeOver = `
do $$
declare made record;
begin
  for made in
    select format('alter table %s owner to ${SERVICE_ROLE}', c.oid::regclass) as statement
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relowner <> '${SERVICE_ROLE}'::regrole
      and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
      and not exists (
        select from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid
          and (d.deptype = 'e' or c.relkind = 'S' and d.deptype in ('a', 'i')))
    union all
    select format('alter routine %s owner to ${SERVICE_ROLE}', p.oid::regprocedure)
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.proowner <> '${SERVICE_ROLE}'::regrole
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    union all
    select format('alter type %s owner to ${SERVICE_ROLE}', t.oid::regtype)
    from pg_type t
    where t.typnamespace = 'public'::regnamespace and t.typowner <> '${SERVICE_ROLE}'::regrole and t.typtype in ('e', 'd')
      and not exists (select from pg_depend d where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype = 'e')
  loop
    execute made.statement;
  end loop;
end $$`
