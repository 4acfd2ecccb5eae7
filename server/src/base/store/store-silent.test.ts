import { openPostgresProxy } from '@peyk/test/database/postgres-proxy.ts'
import { createTestStore } from '@peyk/test/database/test-store.ts'
import { isThorough } from '@peyk/test/runner/effort.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import { afterAll, expect, it } from 'vitest'
import { openAddress } from './hosts/address.ts'
import { openListener } from './listener.ts'
import { openStore } from './store.ts'

const direct = await createTestStore()
const proxy = await openPostgresProxy(direct.url)
const liveness = { patienceMs: 200, answerMs: 500 }
const store = openStore(proxy.url, { poolSize: 3, liveness })
afterAll(() => store.close())

const away = { code: 'store-away', status: 503, retryAfterSeconds: 2 }
const ask = () => store.query<{ one: number }>(sql`select 1 as one`)
const isAnswered = () => ask().then(Boolean, () => false)

it.runIf(isThorough)(
  'a PostgreSQL that falls silent fails what waits for it and what comes after, until it speaks again',
  async () => {
    await direct.query(sql`create table said (word text)`)
    await ask()
    const { promise: held, resolve: goOn } = Promise.withResolvers<void>()
    const open = store.transaction(async (tx) => {
      await tx.query(sql`insert into said values ('never committed')`)
      await held
      await tx.query(sql`select 1`)
    })
    await until(
      () => direct.query(sql`select from pg_locks where relation = 'said'::regclass`),
      (locks) => locks.length > 0,
    )
    proxy.fallSilent()
    goOn()
    // More than there are connections: the last ones wait for one.
    const waiting = [open, ...Array.from({ length: 5 }, ask)]
    for (const result of await Promise.allSettled(waiting)) expect(result).toMatchObject({ reason: away })
    await expect(ask()).rejects.toMatchObject(away)
    await expect(store.takeLock(1, 'silent')).rejects.toMatchObject(away)
    proxy.speak()
    await until(isAnswered, Boolean)
    expect(await store.takeLock(1, 'silent')).toBeTypeOf('function')
    await until(
      () => direct.query(sql`select from pg_locks where relation = 'said'::regclass`),
      (locks) => locks.length === 0,
    )
    expect(await direct.query(sql`select from said`)).toEqual([])
  },
)

it('one that is silent from the beginning is away, too', async () => {
  proxy.fallSilent()
  const fresh = openStore(proxy.url, { poolSize: 1, liveness })
  await expect(fresh.query(sql`select 1`)).rejects.toMatchObject(away)
  proxy.speak()
  await until(() => fresh.query(sql`select 1`).then(Boolean, () => false), Boolean)
  await fresh.close()
})

it('a statement that takes long is left alone, and so is one that waits for a lock', async () => {
  await until(isAnswered, Boolean)
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  const holding = direct.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(77)`)
    await held
  })
  const waiting = store.transaction((tx) => tx.query(sql`select pg_advisory_xact_lock(77)`))
  const [row] = await store.query<{ pid: number }>(sql`select pg_backend_pid() as pid from pg_sleep(2)`)
  expect(row?.pid).toBeGreaterThan(0)
  letGo()
  await Promise.all([holding, waiting])
})

it('connections that died on the way are thrown away, although PostgreSQL lives', async () => {
  await Promise.all([ask(), ask(), ask()])
  proxy.loseConnections()
  const results = await Promise.allSettled([ask(), ask(), ask()])
  expect(results.map(({ status }) => status)).toContain('rejected')
  for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject(away)
  await until(isAnswered, Boolean)
})

it('a listener hears again after its connection died on the way, although PostgreSQL still knows the old one', async () => {
  const heard: string[] = []
  const options = { channel: 'words', lock: 991n, onMessage: (text: string) => heard.push(text) }
  const address = { connectionString: proxy.url }
  const listener = openListener(openAddress(address), { ...options, ping: { everyMs: 100, answerMs: 500 } })
  const isHeard = (word: string) =>
    until(
      async () => {
        await direct.query(sql`select pg_notify('words', ${word})`)
        return heard
      },
      (words) => words.includes(word),
    )
  await isHeard('first')
  proxy.loseConnections()
  await isHeard('second')
  expect(listener.isOpen()).toBe(true)
  await listener.close()
})

it('a statement that came to nothing leaves its connection to the next one', async () => {
  const alone = openStore(direct.url, { poolSize: 1 })
  const pid = async () => (await alone.query<{ pid: number }>(sql`select pg_backend_pid() as pid`))[0]?.pid
  const before = await pid()
  await expect(alone.query(sql`select 1 / 0`)).rejects.toThrow('division by zero')
  expect(await pid()).toBe(before)
  await alone.close()
})
