import { openPostgresProxy } from '@peyk/test/database/postgres-proxy.ts'
import { createTestStore, silentLog } from '@peyk/test/database/test-store.ts'
import { until } from '@peyk/test/runner/until.ts'
import { afterAll, expect, it } from 'vitest'
import { loadConfig } from '#base/config.ts'
import { openStore } from '#base/store/store.ts'
import { CleanupSteps } from './cleanup-steps.ts'
import { prepareStart } from './prepare.ts'

const direct = await createTestStore()
const proxy = await openPostgresProxy(direct.url)
const store = openStore(proxy.url, { poolSize: 2, liveness: { patienceMs: 200, answerMs: 200 } })
const cleanup = new CleanupSteps()
const stopping = new AbortController()
afterAll(async () => {
  await cleanup.runAll(silentLog)
  await store.close()
})

const waits: unknown[] = []
const log = Object.assign(Object.create(silentLog), { warn: (fields: unknown) => waits.push(fields) })
const prepare = () =>
  prepareStart({ config: loadConfig({ PEYK_MODE: 'production' }), log, cleanup, signal: stopping.signal }, store)

it('a service that starts waits while PostgreSQL is silent, and goes on when it answers', async () => {
  proxy.fallSilent()
  const prepared = prepare()
  await until(
    () => waits,
    ([first]) => first !== undefined,
  )
  expect(waits[0]).toEqual({ reason: 'store-away' })
  proxy.speak()
  expect(await prepared).toMatchObject({ simulator: undefined, demo: undefined, hasMembers: false })
})

it('one that is told to end meanwhile does not wait', async () => {
  proxy.fallSilent()
  waits.length = 0
  const prepared = prepare()
  await until(
    () => waits,
    ([first]) => first !== undefined,
  )
  stopping.abort()
  await expect(prepared).rejects.toThrow('aborted')
})
