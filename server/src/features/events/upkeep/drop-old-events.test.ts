import { createTestApp, createTestStore, silentLog } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { rememberDays } from '#base/store/clock/proven-time.ts'
import { createPartitions } from '#base/store/partitions.ts'
import type { Store } from '#base/store/store.ts'
import { addInstallation, readCounters, readEvents } from '../events.test-support.ts'
import { trackEvent } from '../track/track-event.ts'
import { dropOldEvents } from './drop-old-events.ts'
import { forgetEventIds } from './forget-event-ids.ts'

const january = Date.UTC(2026, 0, 15)
const day = 86_400_000

async function openTestStore() {
  const store = await createTestStore()
  for (const month of [0, 2, 4]) await createPartitions(store, new Date(Date.UTC(2026, month, 15)))
  return store
}

async function monthsOf(store: Awaited<ReturnType<typeof openTestStore>>): Promise<string[]> {
  const rows = await store.query<{ name: string }>(sql`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'events'::regclass order by 1`)
  return rows.map(({ name }) => name)
}

const stores = await Promise.all([openTestStore(), openTestStore(), openTestStore(), openTestStore()])

/** In a service that has run all the time. */
async function dropAt(store: Store, time: number): Promise<void> {
  const at = new Date(time)
  await rememberDays(store, at)
  await dropOldEvents({ store, now: () => at, log: silentLog })
}

test('a clock that jumps by 500 days drops nothing, neither at once nor when later events are there', async () => {
  const store = stores[3]
  let at = january
  const ctx = await createTestApp(store, { at: () => new Date(at) })
  await trackEvent(ctx, { userId: 'sara', eventName: 'Open' })
  await dropAt(store, january)
  at = january + 500 * day
  await dropOldEvents({ store, now: ctx.now, log: silentLog })
  await trackEvent(ctx, { userId: 'sara', eventName: 'Open' })
  at += day
  await dropOldEvents({ store, now: ctx.now, log: silentLog })
  expect((await readEvents(ctx)).length).toBe(2)
})

test('a month is dropped when the last of it came 400 days ago, and counters stay', async () => {
  const store = stores[0]
  let at = january
  const ctx = await createTestApp(store, { at: () => new Date(at) })
  await addInstallation(ctx, 'sara')
  await trackEvent(ctx, { userId: 'sara', eventName: 'Open' })
  const run = (time: number) => dropAt(store, time)
  await run(Date.UTC(2026, 1, 1) + 400 * day)
  expect(await monthsOf(store)).toContain('events_202601')
  at = Date.UTC(2026, 1, 1) + 400 * day + 1
  await run(at)
  const months = await monthsOf(store)
  expect(months).not.toContain('events_202601')
  expect(months).toContain('events_202602')
  expect(months).toContain('events_other')
  expect(await readEvents(ctx)).toEqual([])
  expect(await readCounters(ctx)).toMatchObject([{ key: 'open', count: 1 }])
})

test('an app that keeps longer keeps the month for itself; the rows of others go', async () => {
  const store = stores[1]
  const at = () => new Date(january)
  const [long, usual, short] = await Promise.all([
    createTestApp(store, { at }),
    createTestApp(store, { at }),
    createTestApp(store, { at }),
  ])
  await keep(long.app.id, 800)
  await keep(short.app.id, 10)
  for (const ctx of [long, usual, short]) {
    await Promise.all(Array.from({ length: 5 }, () => trackEvent(ctx, { userId: 'sara', eventName: 'Open' })))
  }
  const left = async () => [
    (await readEvents(long)).length,
    (await readEvents(usual)).length,
    (await readEvents(short)).length,
  ]
  const run = (time: number) => dropAt(store, time)
  await run(Date.UTC(2026, 1, 5))
  expect(await left()).toEqual([5, 5, 5])
  await run(Date.UTC(2026, 1, 12))
  expect(await left()).toEqual([5, 5, 0])
  await run(Date.UTC(2026, 1, 2) + 400 * day)
  expect(await left()).toEqual([5, 0, 0])
  await run(Date.UTC(2026, 1, 2) + 800 * day)
  expect(await monthsOf(store)).not.toContain('events_202601')

  function keep(appId: number, eventsDays: unknown) {
    return store.query(sql`
      update apps set settings = jsonb_build_object('retention', jsonb_build_object('eventsDays', ${eventsDays}::int)) where app_id = ${appId}`)
  }
})

test('when every app keeps less than usual, months go by the longest of them; nonsense counts as usual', async () => {
  const store = stores[2]
  const ctx = await createTestApp(store, { at: () => new Date(january) })
  await trackEvent(ctx, { userId: 'sara', eventName: 'Open' })
  const set = (retention: string) => store.query(sql`update apps set settings = ${`{"retention":${retention}}`}::jsonb`)
  const run = () => dropAt(store, Date.UTC(2026, 1, 20))
  for (const nonsense of ['{"eventsDays":"ten"}', '{"eventsDays":0}', '{"eventsDays":-5}', '5', '[]']) {
    await set(nonsense)
    await run()
    expect(await monthsOf(store)).toContain('events_202601')
  }
  await set('{"eventsDays":10}')
  await run()
  expect(await monthsOf(store)).not.toContain('events_202601')
})

test('ids that clients gave are forgotten after 60 days', async () => {
  const store = stores[0]
  const now = new Date(Date.UTC(2026, 10, 15))
  await store.query(sql`
    insert into event_ids (app_id, installation_no, event_id, received_at)
    select 1, 1, 'old-' || n, ${now}::timestamptz - interval '61 days' from generate_series(1, 11000) n
    union all select 1, 1, 'new', ${now}::timestamptz - interval '59 days'`)
  await forgetEventIds({ store, now: () => now })
  expect(await store.query(sql`select event_id from event_ids`)).toEqual([{ event_id: 'new' }])
})
