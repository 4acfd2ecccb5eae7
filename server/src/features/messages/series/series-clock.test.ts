import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { afterEach, describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { resumeSending } from '../../backups/resume-sending.ts'
import { getMessage } from '../../deliveries/read/get-message.ts'
import { addInstallation, countRows } from '../installation-rows.test-support.ts'
import { startScheduled } from '../schedule/start-scheduled.ts'
import { sendToUsers } from '../send/send-to-users.ts'
import { getSeries } from './get-series.ts'
import { createTestClock } from './series.test-support.ts'
import { tendSeries } from './tend-series.ts'

const store = await createTestStore()
const clock = createTestClock(store)
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

afterEach(async () => {
  await clock.set(0)
  await store.query(sql`update scheduled_messages set cancelled_at = peyk_now() where cancelled_at is null`)
  await store.query(sql`update series set state = 'ended', ended_at = peyk_now() where state <> 'ended'`)
})

/** The first occurrence is in an hour. */
async function setUp(rule: string, more: object = {}) {
  const ctx = await createTestApp(store, { at: clock.now })
  await addInstallation(ctx, 'sara')
  const start = Math.ceil((Date.now() + HOUR) / 1000) * 1000
  const body = { user: 'sara', content: 'x', sendAt: start, repeat: { rule, ...more } }
  const { seriesId } = (await sendToUsers(ctx, body)) as { seriesId: string }
  const goTo = async (ms: number) => {
    await clock.set(start - Date.now() + ms)
    await startAll(ctx)
    await tendSeries(ctx)
    await startAll(ctx)
  }
  const read = () => getSeries(ctx, { id: seriesId })
  const story = async () => (await read()).story.toReversed().map(({ at, what }) => [(at - start) / HOUR, what])
  const next = async () => (await read()).next.map(({ sendAt }) => (sendAt - start) / HOUR)
  return { ctx, start, seriesId, goTo, read, story, next }
}

async function startAll(ctx: Context): Promise<void> {
  while (await startScheduled(ctx));
}

describe('when the service was away', () => {
  it('the last one goes when it is less than an hour late, and the others were missed', async () => {
    const { ctx, goTo, story, next, read } = await setUp('FREQ=DAILY')
    await goTo(3 * DAY + 59 * MINUTE)
    expect(await story()).toEqual([
      ...[
        [0, 'missed'],
        [24, 'missed'],
        [48, 'missed'],
        [72, 'sent'],
      ],
    ])
    expect(await next()).toEqual([96, 120, 144, 168, 192])
    expect(await read()).toMatchObject({ sent: 1, missed: 3, skipped: 0 })
    const missed = (await read()).story.find(({ what }) => what === 'missed')
    expect(await getMessage(ctx, { id: missed?.messageId as string })).toMatchObject({ state: 'cancelled' })
    expect(await countRows(ctx, 'messages')).toBe(1)
  })

  it('an hour late is too late', async () => {
    const { ctx, goTo, story, next } = await setUp('FREQ=DAILY')
    await goTo(HOUR)
    expect(await story()).toEqual([[0, 'missed']])
    expect(await next()).toEqual([24, 48, 72, 96, 120])
    expect(await countRows(ctx, 'messages')).toBe(0)
  })

  it('for weeks, nothing piles up', async () => {
    const { ctx, goTo, read, next } = await setUp('FREQ=HOURLY')
    await goTo(20 * DAY + 30 * MINUTE)
    expect(await read()).toMatchObject({ sent: 1, missed: 480 })
    expect((await read()).story).toHaveLength(50)
    expect(await next()).toEqual([481, 482, 483, 484, 485])
    expect(await countRows(ctx, 'messages')).toBe(1)
  })

  it('missed ones count, and a series may end by them', async () => {
    const { goTo, read } = await setUp('FREQ=DAILY', { count: 7 })
    await goTo(40 * DAY)
    expect(await read()).toMatchObject({ state: 'ended', missed: 7, next: [] })
  })
})

describe('when the clock jumps', () => {
  it('forward by a day and back, every occurrence is sent once', async () => {
    const { ctx, goTo, story, next } = await setUp('FREQ=HOURLY')
    await goTo(0)
    await goTo(DAY + 30 * MINUTE)
    expect((await story()).filter(([, what]) => what === 'sent')).toEqual([
      [0, 'sent'],
      [24, 'sent'],
    ])
    await goTo(10 * MINUTE)
    expect(await story()).toEqual([
      [0, 'sent'],
      [24, 'sent'],
    ])
    expect(await next()).toEqual([1, 2, 3, 4, 5])
    for (let hour = 1; hour <= 30; hour++) await goTo(hour * HOUR)
    const sent = (await story()).map(([at]) => at as number)
    expect(sent.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 31 }, (_, hour) => hour))
    expect(await countRows(ctx, 'messages')).toBe(31)
  })

  it('back by a day, nothing goes twice', async () => {
    const { ctx, goTo, story } = await setUp('FREQ=HOURLY')
    for (const hour of [0, 1, 2]) await goTo(hour * HOUR)
    await goTo(-DAY)
    for (const hour of [0, 1, 2, 3, 4]) await goTo(hour * HOUR)
    expect(await story()).toEqual([0, 1, 2, 3, 4].map((hour) => [hour, 'sent']))
    expect(await countRows(ctx, 'messages')).toBe(5)
  })
})

it('a version that knows no series starts an occurrence: the next one is made nevertheless', async () => {
  const { ctx, goTo, next } = await setUp('FREQ=DAILY')
  await store.query(sql`
    delete from scheduled_messages where app_id = ${ctx.app.id} and due_at = (
      select min(due_at) from scheduled_messages where app_id = ${ctx.app.id})`)
  expect(await next()).toEqual([24, 48, 72, 96])
  await goTo(0)
  expect(await next()).toEqual([24, 48, 72, 96, 120])
})

describe('after a restore', () => {
  const hold = () =>
    store.query(sql`
    insert into restores (backup_made_at, restored_at) values (peyk_now() - interval '1 hour', peyk_now())`)

  it('what came meanwhile is discarded, what comes later goes', async () => {
    const { ctx, story, next } = await setUp('FREQ=HOURLY')
    await clock.set(HOUR + 8 * HOUR + 30 * MINUTE)
    await hold()
    await resumeSending(ctx, { waiting: 'discard' })
    await startAll(ctx)
    expect(await countRows(ctx, 'messages')).toBe(0)
    const ends = await story()
    expect(ends.map(([hour]) => hour).toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    expect(new Set(ends.map(([, what]) => what))).toEqual(new Set(['skipped', 'missed']))
    expect(await next()).toEqual([9, 10, 11, 12, 13])
  })

  it('what came meanwhile is sent as after any absence', async () => {
    const { ctx, story } = await setUp('FREQ=HOURLY')
    await clock.set(HOUR + 2 * HOUR + 30 * MINUTE)
    await hold()
    await resumeSending(ctx, { waiting: 'send' })
    await startAll(ctx)
    expect(await story()).toEqual([
      ...[
        [0, 'missed'],
        [1, 'missed'],
        [2, 'sent'],
      ],
    ])
  })
})
