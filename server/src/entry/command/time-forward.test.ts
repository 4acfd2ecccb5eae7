import { createTestStore } from '@peyk/test/database/test-store.ts'
import { isThorough } from '@peyk/test/runner/effort.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { onTimeForward } from '#base/bus/time-broadcast.ts'
import { makeTestFolder, peykHere } from './peyk-process.test-support.ts'
import { readDuration } from './read-duration.ts'
import { Service } from './start/start.test-support.ts'

const store = await createTestStore()
const env = { PEYK_DATABASE_URL: store.url }

async function readDaysAhead(): Promise<number> {
  const [row] = await store.query<{ days: number }>(
    sql`select extract(epoch from peyk_now() - now())::float8 / 86400 as days`,
  )
  return row?.days ?? 0
}

it('reads spans, and nothing that could be meant otherwise', () => {
  expect(['30m', '12h', '7d', '4w'].map(readDuration)).toEqual([1_800, 43_200, 604_800, 2_419_200])
  for (const text of ['7', 'd', '-1d', '0d', '1.5d', '7 d', '1y', '999999d'])
    expect(() => readDuration(text)).toThrow('span')
})

it('lets time pass in development, tells those who run, and is refused in production', async () => {
  let told = 0
  const stop = onTimeForward(store, () => told++)
  const inProduction = { ...env, PEYK_MODE: 'production' }
  expect(await peykHere(['time', 'forward', '7d'], { env: inProduction })).toMatchObject({ code: 1 })
  expect(await readDaysAhead()).toBe(0)
  // Who listens may not hear yet.
  await poll(async () => {
    await peykHere(['time', 'forward', '7d'], { env })
    return told
  }).toBeGreaterThan(0)
  stop()
  expect((await readDaysAhead()) % 7).toBe(0)
  expect(await readDaysAhead()).toBeGreaterThanOrEqual(7)
})

it.runIf(isThorough)('production does not start on a database whose time was put forward', async () => {
  await peykHere(['time', 'forward', '7d'], { env })
  const service = new Service({ ...env, PEYK_MODE: 'production', PEYK_DATA: await makeTestFolder('peyk-forward-') })
  expect(await service.ended()).toBe(1)
  await service.says(/peyk: The time of this database was put forward by \d+ days for a demonstration/)
})
