import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createTestStore, silentLog, testExternal } from '@peyk/test/database/test-store.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import { pino } from 'pino'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { RequestError } from '#base/errors.ts'
import type { Logger } from '#base/log.ts'
import { openStore, type Store } from '#base/store/store.ts'
import { createRunner, type Job } from './runner.ts'

const store = await createTestStore()
const now = () => new Date()

function oneLane(
  jobs: Record<string, Job>,
  everyMs: number,
  services: { log?: Logger; store?: Store; firstRetryMs?: number } = {},
) {
  const schedule = [{ name: 'lane', jobs: Object.keys(jobs).map((job) => ({ job, everyMs })) }]
  return createRunner({ store, log: silentLog, now, external: testExternal, ...services, jobs, schedule })
}

function collectLog() {
  const lines: { level: number; msg: string }[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  return { log, lines }
}

test('jobs run at the start and again after their time', async () => {
  let [often, once] = [0, 0]
  const runner = createRunner({
    store,
    log: silentLog,
    external: testExternal,
    now,
    jobs: { often: async () => often++, once: async () => once++ },
    schedule: [
      { name: 'a', jobs: [{ job: 'often', everyMs: 5 }] },
      { name: 'b', jobs: [{ job: 'once', everyMs: 3_600_000 }] },
    ],
  })
  runner.start()
  runner.start()
  await poll(() => often).toBeGreaterThan(3)
  await runner.stop()
  expect(once).toBe(1)
  const after = often
  for (let times = 0; times < 20; times++) await store.query(sql`select 1`)
  expect(often).toBe(after)
})

test('the jobs of a lane follow one another, those of two lanes do not wait', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const ran: string[] = []
  const runner = createRunner({
    store,
    log: silentLog,
    external: testExternal,
    now,
    jobs: {
      slow: () => held.then(() => ran.push('slow')),
      next: async () => ran.push('next'),
      other: async () => ran.push('other'),
    },
    schedule: [
      {
        name: 'a',
        jobs: [
          { job: 'slow', everyMs: 3_600_000 },
          { job: 'next', everyMs: 3_600_000 },
        ],
      },
      { name: 'b', jobs: [{ job: 'other', everyMs: 3_600_000 }] },
    ],
  })
  runner.start()
  await poll(() => ran).toEqual(['other'])
  release()
  await poll(() => ran).toEqual(['other', 'slow', 'next'])
  await runner.stop()
})

test('a job runs in one process at a time', async () => {
  const other = openStore(store.url, { poolSize: 3 })
  let [running, most, runs] = [0, 0, 0]
  const job = async () => {
    most = Math.max(most, ++running)
    await store.query(sql`select 1`)
    running--
    runs++
  }
  const runners = [oneLane({ job }, 1), oneLane({ job }, 1), oneLane({ job }, 1, { store: other })]
  for (const runner of runners) runner.start()
  await poll(() => runs).toBeGreaterThan(20)
  await Promise.all(runners.map((runner) => runner.stop()))
  await other.close()
  expect(most).toBe(1)
})

test('a job that fails is logged, tried again, and does not keep the others from running', async () => {
  const { log, lines } = collectLog()
  let [failures, others] = [0, 0]
  const failing = async () => {
    failures++
    throw new Error('no luck')
  }
  const runner = oneLane({ failing, other: async () => others++ }, 5, { log, firstRetryMs: 5 })
  runner.start()
  await poll(() => failures).toBeGreaterThan(1)
  await poll(() => others).toBeGreaterThan(2)
  await runner.stop()
  expect(lines.filter(({ level, msg }) => level === 50 && msg.includes('failing')).length).toBe(failures)
})

test('while the database is away a job waits without filling the log', async () => {
  const { log, lines } = collectLog()
  let tries = 0
  const job = async () => {
    tries++
    if (tries <= 2) throw new RequestError('store-away', 'away')
  }
  const runner = oneLane({ job }, 5, { log, firstRetryMs: 5 })
  runner.start()
  await poll(() => tries).toBeGreaterThan(3)
  await runner.stop()
  expect(lines.map(({ level }) => level)).toEqual([40])
})

test('a store that cannot be reached is waited for', async () => {
  const closed = openStore(store.url, { poolSize: 1 })
  await closed.close()
  const { log, lines } = collectLog()
  const runner = oneLane({ job: async () => {} }, 1, { log, store: closed })
  runner.start()
  await poll(() => lines.length).toBe(1)
  await runner.stop()
  expect(lines).toMatchObject([{ level: 40 }])
})

test('stop waits for the job under way and tells it to end', async () => {
  const happened: string[] = []
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const job: Job = async ({ signal }) => {
    happened.push('started')
    await once(signal, 'abort')
    happened.push('told to end')
    await held
    happened.push('ended')
  }
  const runner = oneLane({ job }, 1)
  runner.start()
  await poll(() => happened).toEqual(['started'])
  const stopped = runner.stop().then(() => happened.push('stopped'))
  await poll(() => happened).toEqual(['started', 'told to end'])
  await nextTurn()
  release()
  await stopped
  expect(happened).toEqual(['started', 'told to end', 'ended', 'stopped'])
})

test('a runner that was never started stops at once', async () => {
  let runs = 0
  const runner = oneLane({ job: async () => runs++ }, 1)
  await expect(runner.stop()).resolves.toBeUndefined()
  runner.start()
  await runner.stop()
  expect(runs).toBe(0)
})

test('a job that is told to hurry while it runs runs again', async () => {
  const releases: (() => void)[] = []
  const runner = oneLane({ job: () => new Promise<void>((resolve) => releases.push(resolve)) }, 3_600_000)
  runner.start()
  await poll(() => releases.length).toBe(1)
  runner.hurry()
  releases[0]?.()
  await poll(() => releases.length).toBe(2)
  releases[1]?.()
  await runner.stop()
})

test('jobs run at once when they are told to hurry', async () => {
  const ran: string[] = []
  const runner = oneLane({ first: async () => ran.push('first'), second: async () => ran.push('second') }, 3_600_000)
  runner.start()
  await poll(() => ran.length).toBe(2)
  runner.hurry()
  await poll(() => ran.toSorted()).toEqual(['first', 'first', 'second', 'second'])
  await runner.stop()
})
