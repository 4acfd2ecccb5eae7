import { expect, it } from 'vitest'
import { migrate } from '../migrate.ts'
import { createPartitions } from '../partitions.ts'
import { openStore } from '../store.ts'
import { makeDataFolder, makeUsedDataFolder, query, startHere } from './embedded-postgres.test-support.ts'
import { connectRunningPostgres, type EmbeddedPostgres } from './embedded-postgres.ts'

const rights = `select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication, rolcanlogin
  from pg_roles where rolname = current_user`
const ordinary = {
  ...{ rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolbypassrls: false },
  ...{ rolreplication: true, rolcanlogin: true },
}
const foreign = `select relname from pg_class where relnamespace = 'public'::regnamespace and relowner <> current_user::regrole
  union all select proname from pg_proc where pronamespace = 'public'::regnamespace and proowner <> current_user::regrole
  union all select typname from pg_type where typnamespace = 'public'::regnamespace and typowner <> current_user::regrole`

async function migrateAs(connection: EmbeddedPostgres['connection']): Promise<void> {
  const store = openStore(connection, { poolSize: 1 })
  await migrate(store)
  await createPartitions(store, new Date())
  await store.close()
}

/** As versions made it that used the superuser for everything. */
async function makeOld({ bootstrap }: EmbeddedPostgres): Promise<void> {
  await query(bootstrap, 'drop owned by peyk_service')
  await query({ ...bootstrap, database: 'postgres' }, 'alter database peyk owner to peyk')
  await query(bootstrap, 'drop role peyk_service')
  await migrateAs(bootstrap)
  await query(bootstrap, "insert into apps (label, name) values ('kept', 'Kept')")
  await query(
    bootstrap,
    `create type mood as enum ('well'); create function answer() returns int language sql return 42;
     create sequence numbers; create view labels as select label from apps`,
  )
}

it('the service owns its database and tables, and is no superuser', async () => {
  const { connection } = await startHere(await makeDataFolder())
  await migrateAs(connection)
  expect(await query(connection, rights)).toEqual([ordinary])
  expect(await query(connection, foreign)).toEqual([])
  await expect(query(connection, "copy (select 1) to program 'true'")).rejects.toThrow('permission denied')
  await expect(query(connection, "select pg_read_file('/etc/passwd')")).rejects.toThrow('permission denied')
})

it('a folder of an earlier version is taken over at the next start, with all its data', async () => {
  const dataFolder = await makeUsedDataFolder()
  const old = await startHere(dataFolder)
  await makeOld(old)
  // A command of this version beside a server of that one.
  expect(await connectRunningPostgres(dataFolder)).toEqual(old.bootstrap)
  await old.stop()

  const { connection, stop } = await startHere(dataFolder)
  expect(await query(connection, rights)).toEqual([ordinary])
  expect(await query(connection, foreign)).toEqual([])
  expect(await query(connection, 'select label from labels')).toEqual([{ label: 'kept' }])
  await migrateAs(connection)
  await query(connection, "insert into apps (label, name) values ('new', 'New')")
  await query(connection, 'alter table apps add column later int; drop table events cascade; drop type mood')
  expect(await connectRunningPostgres(dataFolder)).toEqual(connection)
  await stop()
})

it('what an earlier version leaves in between is taken over, too', async () => {
  const dataFolder = await makeUsedDataFolder()
  const first = await startHere(dataFolder)
  await query(first.bootstrap, 'create table left_behind as select 1 as one')
  await first.stop()
  const { connection } = await startHere(dataFolder)
  expect(await query(connection, 'select one from left_behind')).toEqual([{ one: 1 }])
  expect(await query(connection, foreign)).toEqual([])
})
