import { execFile } from 'node:child_process'
import { chown, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeGuardedFolder } from '@peyk/test/runner/guard.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import { expect, it, onTestFinished } from 'vitest'
import { findDatabaseFolder, pgdataOf } from '../embedded/database-home.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../embedded/embedded-postgres.ts'
import { openClient } from '../embedded/postgres-connection.ts'
import { openReader } from '../open-reader.ts'
import { openStore, type Store } from '../store.ts'

const run = promisify(execFile)
const liveness = { patienceMs: 200, answerMs: 2_500 }
const away = { code: 'store-away' }

function start(dataFolder: string, name: string, settings: Record<string, string> = {}): Promise<EmbeddedPostgres> {
  const onLog = () => undefined
  return startEmbeddedPostgres({ dataFolder, settings: { cluster_name: name, ...settings }, onLog })
}

/** A primary with a table, a standby that follows it, and a store that knows of both. */
async function startPair() {
  const folders = { one: await makeGuardedFolder('peyk-one-'), two: await makeGuardedFolder('peyk-two-') }
  const running = new Set<EmbeddedPostgres>()
  const launch = async (name: 'one' | 'two', settings?: Record<string, string>) => {
    const postgres = await start(folders[name], name, settings)
    running.add(postgres)
    return postgres
  }
  onTestFinished(async () => {
    await Promise.all([...running].map((postgres) => postgres.stop()))
    for (const folder of Object.values(folders)) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })

  await (await launch('one')).stop()
  const source = await findDatabaseFolder(folders.one)
  await run('cp', ['-a', pgdataOf(source), pgdataOf(folders.two)])
  await run('cp', ['-a', join(folders.one, 'postgres-password'), folders.two])
  const one = await launch('one')
  const { host, port, user, password } = one.bootstrap
  const { uid, gid } = await stat(pgdataOf(folders.two))
  const signal = join(pgdataOf(folders.two), 'standby.signal')
  await writeFile(signal, '')
  await chown(signal, uid, gid)
  const two = await launch('two', { primary_conninfo: `host=${host} port=${port} user=${user} password=${password}` })

  const { connection } = one
  const hosts = `host=${two.connection.host},${connection.host}&port=${connection.port}`
  const url = `postgresql://${connection.user}:${connection.password}@/${connection.database}?${hosts}`
  const store = openStore(url, { poolSize: 3, liveness })
  onTestFinished(() => store.close())
  // A busy machine may take longer to say who the primary is than it is waited for.
  await until(
    () =>
      store
        .query(sql`create table if not exists written (by text not null default current_setting('cluster_name'))`)
        .then(
          () => undefined,
          (error: Error) => error.message,
        ),
    (refusal) => refusal === undefined,
  )
  // A standby that is promoted before it has the table never gets it.
  const standby = openStore(two.connection, { poolSize: 1, isReadOnly: true })
  onTestFinished(() => standby.close())
  await until(
    () => standby.query<{ name: string | null }>(sql`select to_regclass('written') as name`),
    ([row]) => row?.name === 'written',
  )
  return { store, one, two, launch }
}

/** Says who stored it. */
async function write(store: Store): Promise<string> {
  const [row] = await store.query<{ by: string }>(sql`insert into written default values returning by`)
  return (row as { by: string }).by
}

async function promote({ bootstrap }: EmbeddedPostgres): Promise<void> {
  const client = await openClient(bootstrap)
  await client.query('select pg_promote()')
  await client.end()
}

it('a store of several hosts writes to the primary, and after a fail-over to the new one', async () => {
  const { store, one, two, launch } = await startPair()
  const heard: string[] = []
  const listener = store.listen({ channel: 'told', lock: 7n, onMessage: (text) => heard.push(text) })
  await until(listener.isOpen, Boolean)
  expect(await write(store)).toBe('one')
  await one.stop()
  await expect(write(store)).rejects.toMatchObject(away)
  await promote(two)
  expect(await until(() => write(store).catch(() => undefined), Boolean)).toBe('two')
  await until(listener.isOpen, Boolean)
  await store.query(sql`select pg_notify('told', 'again')`)
  await until(
    () => heard,
    (texts) => texts.includes('again'),
  )

  // The old primary comes back, and does not know that it was left behind.
  await launch('one')
  expect(await write(store)).toBe('two')
  await two.stop()
  await expect(write(store)).rejects.toMatchObject(away)
  await expect(write(store)).rejects.toMatchObject(away)
})

it('connections to a primary that was left behind are cut while it still lives', async () => {
  const { store, two } = await startPair()
  expect(await write(store)).toBe('one')
  await promote(two)
  await until(
    () => write(store).catch(() => undefined),
    (by) => by === 'two',
  )
  expect(await Promise.all([1, 2, 3].map(() => write(store)))).toEqual(['two', 'two', 'two'])
})

it('a standby answers what may be some seconds old', async () => {
  const { one, two } = await startPair()
  const store = openStore(one.connection, { poolSize: 2, liveness })
  onTestFinished(() => store.close())
  const reader = openReader(store, openStore(two.connection, { poolSize: 2, liveness, isReadOnly: true }))
  onTestFinished(() => reader.close())
  await write(store)
  const whoAnswers = async () => {
    const rows = await reader.store.query<{ name: string; count: number }>(
      sql`select current_setting('cluster_name') as name, count(*) from written`,
    )
    return rows[0]
  }
  await until(whoAnswers, (answer) => answer?.name === 'two' && answer.count === 1)
  await two.stop()
  expect(await whoAnswers()).toEqual({ name: 'one', count: 1 })
})
