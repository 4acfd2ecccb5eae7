import { createTestApp, createTestStore, silentLog, testExternal } from '@peyk/test/database/test-store.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { defaultDurations } from '#base/durations.ts'
import { addInstallation, addUser, readCounters } from '#features/events/events.test-support.ts'
import { trackEvent } from '#features/events/track/track-event.ts'
import { jobs } from './jobs.ts'
import { schedule } from './schedule.ts'
import { createWorker } from './worker.ts'

const store = await createTestStore()

test('every job has its place in the schedule, once', () => {
  const planned = schedule.flatMap((lane) => lane.jobs.map(({ job }) => job))
  expect(planned.toSorted()).toEqual(Object.keys(jobs).toSorted())
})

test('every job runs on an empty store, and again', async () => {
  const context = {
    store,
    log: silentLog,
    now: () => new Date(),
    external: testExternal,
    signal: new AbortController().signal,
  }
  const failures: string[] = []
  for (const [name, job] of [...Object.entries(jobs), ...Object.entries(jobs)]) {
    await job(context).catch((error) => failures.push(`${name}: ${error}`))
  }
  expect(failures).toEqual([])
})

test('the worker adopts events soon after a login', async () => {
  const ctx = await createTestApp(store)
  await trackEvent(ctx, { userId: 'sara', eventName: 'Open' })
  const worker = createWorker({
    store,
    log: silentLog,
    now: () => new Date(),
    external: testExternal,
    pushesPerSecond: 10_000,
    durations: defaultDurations,
  })
  worker.start()
  const phone = await addInstallation(ctx, 'sara')
  await store.query(sql`insert into event_adoptions values (${ctx.app.id}, ${await addUser(ctx, 'sara')}, ${phone.no})`)
  await poll(() => readCounters(ctx)).toMatchObject([{ owner: phone.no, key: 'open', count: 1 }])
  await worker.stop()
})
