import { createTestStore } from '@peyk/test/database/test-store.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { notifyInbox, onInbox } from '../../features/deliveries/inbox/inbox-notifier.ts'
import { openStore } from '../store/store.ts'
import { busOf, lockOf } from './bus.ts'

const store = await createTestStore()
const other = openStore(store.url, { poolSize: 2 })
afterAll(async () => {
  await other.drain()
  await other.close()
})

const heard: unknown[] = []
const own: unknown[] = []
busOf(other).on('news', (body) => heard.push(body))
busOf(store).on('news', (body) => own.push(body))
const listening = () =>
  until(
    () => busOf(other).isOpen && busOf(store).isOpen,
    (isOpen) => isOpen,
  )
await listening()
beforeEach(() => {
  heard.length = 0
})

it('brings what one process tells to the others, in order and whole, never to itself', async () => {
  const large = { text: 'پیک 🕊 '.repeat(20_000), quote: '"\\' }
  busOf(store).tell('news', 1)
  busOf(store).tell('elsewhere', 2)
  busOf(store).tell('news', large)
  busOf(store).tell('news', null)
  await until(
    () => heard.length,
    (count) => count === 3,
  )
  expect(heard).toEqual([1, large, null])
  expect(own).toEqual([])
})

it('says when what it was told has gone out, also when it could not', async () => {
  await busOf(store).tell('news', 'out')
  await until(
    () => heard.length,
    (count) => count === 1,
  )
  const away = openStore('postgres://nobody@127.0.0.1:1/none', { poolSize: 1 })
  await busOf(away).tell('news', 'never')
  await away.drain()
  await away.close()
})

it('lets nobody in who says what is no message', async () => {
  for (const text of ['', 'x', 'a 1 0 1 {', 'a 1 0 1 7', 'a 2 0 99999 {}'])
    await store.query(sql`select pg_notify('peyk', ${text})`)
  busOf(store).tell('news', 'after')
  await until(
    () => heard.length,
    (count) => count > 0,
  )
  expect(heard).toEqual(['after'])
})

it('listens again after its connection was lost, and holds its lock as long as it lives', async () => {
  const isHeld = async () => {
    const [row] = await store.query<{ is_free: boolean }>(
      sql`select pg_try_advisory_xact_lock(${lockOf(busOf(other).id)}) as is_free`,
    )
    return !row?.is_free
  }
  expect(await isHeld()).toBe(true)
  await store.query(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'peyk listens' and datname = current_database()`)
  await until(
    () => busOf(other).isOpen,
    (isOpen) => !isOpen,
  )
  await listening()
  expect(await isHeld()).toBe(true)
  busOf(store).tell('news', 'again')
  await until(
    () => heard.length,
    (count) => count > 0,
  )
  expect(heard).toEqual(['again'])
})

it('notifies of the inbox here, and elsewhere only for who is not connected here', async () => {
  const here: number[] = []
  const there: number[] = []
  const stop = onInbox(store, ({ installationNo }) => here.push(installationNo) > 0 && installationNo < 10)
  onInbox(other, ({ installationNo }) => there.push(installationNo) > 0)
  notifyInbox(
    store,
    [1, 20, 2].map((installationNo) => ({ appId: 1, installationNo })),
  )
  expect(here).toEqual([1, 20, 2])
  await until(
    () => there.length,
    (count) => count === 1,
  )
  expect(there).toEqual([20])
  stop()
})
