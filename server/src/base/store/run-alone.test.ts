import { createTestStore } from '@peyk/test/database/test-store.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { runAlone } from './run-alone.ts'
import { openStore } from './store.ts'

const store = await createTestStore()

test('who comes while the work goes on is turned away; other work is not', async () => {
  const ran: string[] = []
  const first = await runAlone(store, 'tidy', async () => {
    ran.push('first')
    expect(await runAlone(store, 'tidy', async () => ran.push('second'))).toBe(false)
    expect(await runAlone(store, 'sweep', async () => ran.push('other'))).toBe(true)
  })
  expect(first).toBe(true)
  expect(await runAlone(store, 'tidy', async () => ran.push('third'))).toBe(true)
  expect(ran).toEqual(['first', 'other', 'third'])
})

test('work that fails leaves nothing locked', async () => {
  await expect(runAlone(store, 'tidy', () => Promise.reject(new Error('no luck')))).rejects.toThrow('no luck')
  expect(await runAlone(store, 'tidy', async () => {})).toBe(true)
})

test('work holds no connection of the pool, so that it cannot wait for itself', async () => {
  const small = openStore(store.url, { poolSize: 1 })
  const names = ['a', 'b', 'c', 'd']
  const ran = await Promise.all(
    names.map((name) => runAlone(small, name, () => small.transaction((tx) => tx.query(sql`select 1`)))),
  )
  expect(ran).toEqual([true, true, true, true])
  await small.close()
})

test('who is at work in another process keeps others away, and no longer when its connection is lost', async () => {
  const other = openStore(store.url, { poolSize: 1 })
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const working = runAlone(other, 'slow', () => {
    begin()
    return held
  })
  await begun
  expect(await runAlone(store, 'slow', async () => undefined)).toBe(false)
  await store.query(sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'peyk locks'`)
  await until(() => runAlone(store, 'slow', async () => undefined).catch(() => false), Boolean)
  letGo()
  expect(await working).toBe(true)
  await other.close()
})
