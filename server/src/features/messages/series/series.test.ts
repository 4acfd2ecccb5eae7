import type { Series } from '@peyk/contract'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { isThorough } from '@peyk/test/runner/effort.ts'
import sql from 'sql-template-tag'
import { afterEach, describe, expect, it } from 'vitest'
import { limits } from '#base/config.ts'
import type { Context } from '#base/context.ts'
import { timeOrderedId } from '#base/ids.ts'
import { cancelMessage } from '../../deliveries/control/cancel-message.ts'
import { previewSend } from '../../deliveries/dry-run/preview-send.ts'
import { getMessage } from '../../deliveries/read/get-message.ts'
import { deleteUser } from '../../privacy/delete-user.ts'
import { readExport } from '../../privacy/export.test-support.ts'
import type { Accepted } from '../accept/draft-message.ts'
import { addInstallation, countRows } from '../installation-rows.test-support.ts'
import { changeScheduled } from '../schedule/change-scheduled.ts'
import { listScheduled } from '../schedule/list-scheduled.ts'
import { startScheduled } from '../schedule/start-scheduled.ts'
import { notifyUsers } from '../send/notify-users.ts'
import { sendByQuery } from '../send/send-by-query.ts'
import { sendToUsers } from '../send/send-to-users.ts'
import { createTemplate } from '../templates/create-template.ts'
import { changeSeries } from './change-series.ts'
import { endSeries } from './end-series.ts'
import { forgetEndedSeries } from './forget-ended-series.ts'
import { getSeries } from './get-series.ts'
import { listSeries } from './list-series.ts'
import { pauseSeries } from './pause-series.ts'
import { resumeSeries } from './resume-series.ts'
import { createTestClock } from './series.test-support.ts'
import { skipNext } from './skip-next.ts'

const store = await createTestStore()
const clock = createTestClock(store)
const HOUR = 3_600_000
const DAY = 24 * HOUR

afterEach(() => clock.set(0))

/** The first occurrence is in two hours, on a full hour. */
async function setUp() {
  const ctx = await createTestApp(store, { at: clock.now })
  await addInstallation(ctx, 'sara')
  await addInstallation(ctx, 'sara', { deviceType: 'ios' })
  await addInstallation(ctx, 'omid')
  const start = Math.ceil(Date.now() / HOUR) * HOUR + HOUR
  const repeat = { rule: 'FREQ=DAILY' }
  const send = async (body: Record<string, unknown> = {}) => {
    const sent = { user: 'sara', content: 'hello', sendAt: start, repeat, ...body }
    return (await sendToUsers(ctx, sent as never)) as Required<Accepted>
  }
  const timesOf = (series: Pick<Series, 'next'>) => series.next.map(({ sendAt }) => (sendAt - start) / DAY)
  return { ctx, start, send, timesOf }
}

async function startAll(ctx: Context): Promise<void> {
  while (await startScheduled(ctx));
}

async function nextId(ctx: Context, id: string): Promise<string> {
  return (await getSeries(ctx, { id })).next[0]?.id as string
}

describe('a message with repeat', () => {
  it('is answered with its first occurrence and its series, and five are ahead', async () => {
    const { ctx, send, start, timesOf } = await setUp()
    const { id, count, seriesId } = await send({ ttl: 60, trackId: 'daily' })
    expect(count).toBe(2)
    const series = await getSeries(ctx, { id: seriesId })
    expect(series).toMatchObject({
      ...{ id: seriesId, state: 'active', sendAt: start, repeat: { rule: 'FREQ=DAILY', zone: 'UTC' } },
      ...{ sent: 0, skipped: 0, missed: 0, story: [] },
      message: { product: 'message', audience: 'users', user: 'sara', count: 2, content: 'hello', trackId: 'daily' },
    })
    expect(timesOf(series)).toEqual([0, 1, 2, 3, 4])
    expect(series.next[0]?.id).toBe(id)
    expect(await getMessage(ctx, { id })).toMatchObject({
      ...{ id, state: 'scheduled', seriesId, sendAt: start, expireAt: start + 60_000, content: 'hello' },
    })
    expect((await listScheduled(ctx, {})).data).toHaveLength(5)
    expect(await countRows(ctx, 'messages')).toBe(0)
  })

  it('starts when it is due, names its series, and the next one is made', async () => {
    const { ctx, send, timesOf } = await setUp()
    const { id, seriesId } = await send()
    await clock.set(2 * HOUR)
    await Promise.all([startAll(ctx), startAll(ctx), startAll(ctx)])
    expect(await getMessage(ctx, { id })).toMatchObject({ state: 'sending', seriesId, count: 2 })
    const series = await getSeries(ctx, { id: seriesId })
    expect(timesOf(series)).toEqual([1, 2, 3, 4, 5])
    expect(series).toMatchObject({ sent: 1, story: [{ what: 'sent', messageId: id }] })
    for (const days of [1, 2, 3, 4, 5, 6, 7]) {
      await clock.set(2 * HOUR + days * DAY)
      await startAll(ctx)
    }
    expect(timesOf(await getSeries(ctx, { id: seriesId }))).toEqual([8, 9, 10, 11, 12])
    expect(await countRows(ctx, 'messages')).toBe(8)
  })

  it('goes to whom it is for by then, to groups and to everybody as well', async () => {
    const { ctx, start } = await setUp()
    const repeat = { rule: 'FREQ=WEEKLY', zone: 'Asia/Tehran' }
    const sent = { content: 'x', sendAt: start, repeat }
    const group = (await sendByQuery(ctx, { ...sent, target: { deviceType: 'ios' }, trackId: 'weekly' })) as Accepted
    const everybody = (await sendToUsers(ctx, { ...sent, user: '*' })) as Accepted
    const notification = (await notifyUsers(ctx, { ...sent, target: {} })) as Accepted
    expect([group.count, everybody.count, notification.count]).toEqual([1, 3, 3])
    await addInstallation(ctx, 'mina', { deviceType: 'ios' })
    await clock.set(2 * HOUR)
    await startAll(ctx)
    const counts = [group, everybody, notification].map(async ({ id }) => (await getMessage(ctx, { id })).count)
    expect(await Promise.all(counts)).toEqual([2, 4, 4])
    expect(await countRows(ctx, 'campaigns')).toBe(1)
  })

  it('may begin now, and in an array', async () => {
    const { ctx } = await setUp()
    const sent = await sendToUsers(ctx, [
      { user: 'sara', content: 'once' },
      { user: 'sara', content: 'often', repeat: { rule: 'FREQ=HOURLY', count: 2 } },
      { user: 'omid', content: 'once' },
    ])
    const answers = sent as Accepted[]
    expect(answers.map(({ seriesId }) => seriesId !== undefined)).toEqual([false, true, false])
    await clock.set(2_000)
    await startAll(ctx)
    expect(await getMessage(ctx, { id: answers[1]?.id as string })).toMatchObject({
      state: 'sending',
      content: 'often',
    })
    const bad = [
      { user: 'sara', content: 'x' },
      { user: 'sara', content: 'x', repeat: { rule: 'FREQ=NEVER' } },
    ]
    await expect(sendToUsers(ctx, bad)).rejects.toMatchObject({ details: { field: 'repeat.rule', index: 1 } })
  })

  it('keeps the text of its template', async () => {
    const { ctx } = await setUp()
    const { id: templateId } = await createTemplate(ctx, { name: 'Hello', message: { content: 'from the template' } })
    const sent = await sendToUsers(ctx, { user: 'sara', templateId, repeat: { rule: 'FREQ=WEEKLY' } })
    const { seriesId } = sent as Required<Accepted>
    expect((await getSeries(ctx, { id: seriesId })).message.content).toBe('from the template')
  })

  it('ends after its count, or its last moment', async () => {
    const { ctx, send, start, timesOf } = await setUp()
    const counted = await send({ repeat: { rule: 'FREQ=DAILY', count: 2 } })
    const dated = await send({ repeat: { rule: 'FREQ=DAILY', until: start + DAY } })
    for (const { seriesId } of [counted, dated]) expect(timesOf(await getSeries(ctx, { id: seriesId }))).toEqual([0, 1])
    await clock.set(2 * HOUR)
    await startAll(ctx)
    await clock.set(2 * HOUR + DAY)
    await startAll(ctx)
    for (const { seriesId } of [counted, dated]) {
      expect(await getSeries(ctx, { id: seriesId })).toMatchObject({ state: 'ended', sent: 2, next: [] })
      await expect(pauseSeries(ctx, { id: seriesId })).rejects.toMatchObject({ code: 'series-ended' })
    }
    const { data } = await listSeries(ctx, { state: 'ended' })
    expect(data.map(({ id }) => id)).toEqual([dated.seriesId, counted.seriesId])
  })

  it('is refused when it never happens, and stores nothing', async () => {
    const { ctx, send } = await setUp()
    const refused = async (repeat: object) =>
      expect(send({ repeat })).rejects.toMatchObject({ code: 'invalid-request' })
    await refused({ rule: 'FREQ=MINUTELY' })
    await refused({ rule: 'FREQ=DAILY', zone: 'Nowhere' })
    await refused({ rule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' })
    await expect(send({ content: '{{' })).rejects.toMatchObject({ code: 'invalid-template' })
    expect((await listSeries(ctx, {})).data).toEqual([])
    expect((await listScheduled(ctx, {})).data).toEqual([])
  })

  it('shows its first moments in a dry run, which makes none', async () => {
    const { ctx, start } = await setUp()
    const sent = { user: 'sara', content: 'x', sendAt: start, repeat: { rule: 'FREQ=DAILY', count: 3 } }
    const preview = await previewSend(ctx, { sent, product: 'message', to: 'users' })
    expect(preview.next).toEqual([start, start + DAY, start + 2 * DAY])
    const bad = { ...sent, repeat: { rule: 'FREQ=DAILY;COUNT=0' } }
    await expect(previewSend(ctx, { sent: bad, product: 'message', to: 'users' })).rejects.toThrow('"repeat.rule"')
    expect((await listSeries(ctx, {})).data).toEqual([])
  })

  it('is one of so many that an app may have', async () => {
    const { ctx, send } = await setUp()
    const { seriesId } = await send()
    const ids = Array.from({ length: limits.seriesPerApp - 1 }, () => timeOrderedId(new Date()))
    await store.query(sql`
      insert into series (app_id, id, product, sent, count, rule, zone, starts_at, state, made, sent_count, skipped_count,
        missed_count, story, created_at, changed_at)
      select app_id, n, product, sent, count, rule, zone, starts_at, 'paused', 0, 0, 0, 0, '[]', created_at, changed_at
      from series, unnest(${ids}::uuid[]) n where id = ${seriesId}`)
    await expect(send()).rejects.toMatchObject({ code: 'limit-reached' })
    await endSeries(ctx, { id: seriesId })
    await send()
  })

  it.runIf(isThorough)('leaves room for scheduled messages, of which an app may have so many', async () => {
    const { ctx, send, start } = await setUp()
    const single = await send({ repeat: undefined })
    await store.query(sql`
      insert into scheduled_messages (app_id, id, product, sent, count, created_at, due_at, available_at)
      select app_id, gen_random_uuid(), product, sent, count, created_at, due_at, available_at
      from scheduled_messages, generate_series(2, ${limits.scheduledPerApp}) where id = ${single.id}`)
    await expect(send({ repeat: undefined })).rejects.toMatchObject({ code: 'limit-reached' })
    const body = { content: 'x', sendAt: start }
    await expect(sendByQuery(ctx, { ...body, target: {} })).rejects.toMatchObject({ code: 'limit-reached' })
    await expect(sendToUsers(ctx, [{ ...body, user: 'sara' }])).rejects.toMatchObject({ code: 'limit-reached' })
    await send()
    await store.query(sql`delete from scheduled_messages where app_id = ${ctx.app.id}`)
  })
})

describe('one occurrence', () => {
  it('is moved and edited by itself, and starts as it was changed', async () => {
    const { ctx, send, start } = await setUp()
    const { id, seriesId } = await send()
    await changeScheduled(ctx, { id, change: { content: 'other', sendAt: start + HOUR } })
    const { next } = await getSeries(ctx, { id: seriesId })
    expect(next[0]).toEqual({ id, sendAt: start + HOUR, isChanged: true })
    expect(next[1]).toEqual({ id: expect.any(String), sendAt: start + DAY })
    await changeSeries(ctx, { id: seriesId, change: { content: 'all' } })
    await clock.set(3 * HOUR)
    await startAll(ctx)
    expect(await getMessage(ctx, { id })).toMatchObject({ state: 'sending', content: 'other' })
    expect(await getMessage(ctx, { id: await nextId(ctx, seriesId) })).toMatchObject({ content: 'all' })
    const change = { repeat: { rule: 'FREQ=DAILY' } }
    const other = await nextId(ctx, seriesId)
    await expect(changeScheduled(ctx, { id: other, change })).rejects.toMatchObject({ details: { field: 'repeat' } })
  })

  it('is cancelled by itself, and the series goes on', async () => {
    const { ctx, send, timesOf } = await setUp()
    const { id, seriesId } = await send({ repeat: { rule: 'FREQ=DAILY', count: 7 } })
    expect(await cancelMessage(ctx, { id })).toMatchObject({ id, count: 2 })
    expect(await cancelMessage(ctx, { id })).toMatchObject({ count: 0 })
    const series = await skipNext(ctx, { id: seriesId })
    expect(timesOf(series)).toEqual([2, 3, 4, 5, 6])
    expect(series).toMatchObject({ skipped: 2, story: [{ what: 'skipped' }, { what: 'skipped', messageId: id }] })
    expect(await getMessage(ctx, { id })).toMatchObject({ state: 'cancelled', seriesId })
    for (let more = 0; more < 5; more++) await skipNext(ctx, { id: seriesId })
    expect(await getSeries(ctx, { id: seriesId })).toMatchObject({ state: 'ended', skipped: 7, next: [] })
    await expect(skipNext(ctx, { id: seriesId })).rejects.toMatchObject({ code: 'series-ended' })
  })

  it('that is cancelled or skipped while it starts has one outcome, and none is made twice', async () => {
    const { ctx, send } = await setUp()
    const { seriesId } = await send({ repeat: { rule: 'FREQ=HOURLY' } })
    for (let round = 0; round < 8; round++) {
      await clock.set(2 * HOUR + round * HOUR)
      const id = await nextId(ctx, seriesId)
      const either = round % 2 ? cancelMessage(ctx, { id }) : skipNext(ctx, { id: seriesId })
      const change = changeSeries(ctx, { id: seriesId, change: { content: `round ${round}` } })
      await Promise.all([startAll(ctx), either, change, startAll(ctx)])
      await startAll(ctx)
    }
    const { sent, skipped, next, story } = await getSeries(ctx, { id: seriesId })
    const moments = story.map(({ at }) => at)
    expect(new Set(moments).size).toBe(moments.length)
    expect(sent + skipped).toBe(moments.length)
    expect(await countRows(ctx, 'messages')).toBe(sent)
    const first = Math.min(...moments)
    expect([...moments].sort()).toEqual(moments.map((_, index) => first + index * HOUR))
    expect(next).toHaveLength(5)
    expect(next[0]?.sendAt).toBe(Math.max(...moments) + HOUR)
  })

  it('that cannot be started is not in the way of others, and is tried again', async () => {
    const { ctx, send } = await setUp()
    const bad = await send()
    const good = await send({ user: 'omid' })
    await store.query(sql`update scheduled_messages set sent = '{"content":"{% if"}' where id = ${bad.id}`)
    await clock.set(2 * HOUR)
    await startAll(ctx)
    expect(await getMessage(ctx, { id: good.id })).toMatchObject({ state: 'sending' })
    expect(await getMessage(ctx, { id: bad.id })).toMatchObject({ state: 'scheduled' })
    await store.query(sql`
      update scheduled_messages set sent = '{"content":"well"}', available_at = due_at where id = ${bad.id}`)
    await startAll(ctx)
    expect(await getMessage(ctx, { id: bad.id })).toMatchObject({ state: 'sending', content: 'well' })
  })
})

describe('a series', () => {
  it('is changed for what has not started', async () => {
    const { ctx, send, timesOf } = await setUp()
    const { id, seriesId } = await send({ trackId: 'daily' })
    await clock.set(2 * HOUR)
    await startAll(ctx)
    const segment = { all: [{ name: 'deviceType', operator: 'equal_to', value: 'ios' }] }
    const changed = await changeSeries(ctx, { id: seriesId, change: { content: 'new', segment } })
    expect(changed.message).toMatchObject({ content: 'new', trackId: 'daily', audience: 'query', segment, count: 1 })
    expect(timesOf(changed)).toEqual([1, 2, 3, 4, 5])
    expect(await getMessage(ctx, { id })).toMatchObject({ content: 'hello', user: 'sara' })
    for (const each of changed.next)
      expect(await getMessage(ctx, { id: each.id })).toMatchObject({ content: 'new', count: 1, seriesId })
    await expect(changeSeries(ctx, { id: seriesId, change: { content: '{{' } })).rejects.toMatchObject({
      code: 'invalid-template',
    })
    expect((await getSeries(ctx, { id: seriesId })).message.content).toBe('new')
  })

  it('gets another rule, and keeps what was changed or skipped by itself', async () => {
    const { ctx, send, start, timesOf } = await setUp()
    const { seriesId } = await send({ repeat: { rule: 'FREQ=DAILY', count: 10 } })
    const { next } = await getSeries(ctx, { id: seriesId })
    await changeScheduled(ctx, {
      id: next[2]?.id as string,
      change: { content: 'by itself', sendAt: start + 2.5 * DAY },
    })
    await skipNext(ctx, { id: seriesId })
    const repeat = { rule: 'FREQ=DAILY;INTERVAL=2', count: 10 }
    const changed = await changeSeries(ctx, { id: seriesId, change: { repeat } })
    expect(changed.repeat).toEqual({ ...repeat, zone: 'UTC' })
    expect(timesOf(changed)).toEqual([2.5, 4, 6, 8, 10])
    expect(changed.next.map(({ isChanged }) => isChanged ?? false)).toEqual([true, false, false, false, false])
    const moved = await changeSeries(ctx, { id: seriesId, change: { sendAt: start + HOUR } })
    expect(timesOf(moved).map((days) => Math.round(days * 24))).toEqual([1, 49, 60, 97, 145])
    expect(moved.repeat).toEqual(changed.repeat)
    const over = { repeat: { rule: 'FREQ=DAILY', count: 1 } }
    await endSeries(ctx, { id: seriesId })
    await expect(changeSeries(ctx, { id: seriesId, change: over })).rejects.toMatchObject({ code: 'series-ended' })
  })

  it('is not sent again for a moment at which it was sent, when its rule changes', async () => {
    const { ctx, send, start, timesOf } = await setUp()
    const { seriesId } = await send()
    const { next } = await getSeries(ctx, { id: seriesId })
    await changeScheduled(ctx, { id: next[3]?.id as string, change: { sendAt: start } })
    await clock.set(2 * HOUR)
    await startAll(ctx)
    expect(await getSeries(ctx, { id: seriesId })).toMatchObject({ sent: 2 })
    const changed = await changeSeries(ctx, { id: seriesId, change: { repeat: { rule: 'FREQ=DAILY;INTERVAL=1' } } })
    expect(timesOf(changed)).toEqual([1, 2, 4, 5, 6])
    const done = { repeat: { rule: 'FREQ=DAILY', count: 2 } }
    await expect(changeSeries(ctx, { id: seriesId, change: done })).rejects.toMatchObject({
      details: { field: 'repeat.rule' },
    })
  })

  it('is paused and resumed, and what passed meanwhile was skipped', async () => {
    const { ctx, send, timesOf } = await setUp()
    const { id, seriesId } = await send()
    const paused = await pauseSeries(ctx, { id: seriesId })
    expect(await pauseSeries(ctx, { id: seriesId })).toEqual(paused)
    expect([paused.state, timesOf(paused)]).toEqual(['paused', [0, 1, 2, 3, 4]])
    expect(await getMessage(ctx, { id })).toMatchObject({ state: 'paused' })
    expect((await listScheduled(ctx, {})).data).toEqual([])
    await changeScheduled(ctx, { id, change: { content: 'changed in the pause' } })
    await clock.set(2 * HOUR + 6 * DAY)
    await startAll(ctx)
    expect(await countRows(ctx, 'messages')).toBe(0)
    const resumed = await resumeSeries(ctx, { id: seriesId })
    expect(await resumeSeries(ctx, { id: seriesId })).toEqual(resumed)
    expect(resumed).toMatchObject({ state: 'active', sent: 0, skipped: 7, missed: 0 })
    expect(timesOf(resumed)).toEqual([7, 8, 9, 10, 11])
    expect(await getMessage(ctx, { id })).toMatchObject({ state: 'cancelled' })
    await clock.set(2 * HOUR + 7 * DAY)
    await startAll(ctx)
    expect(await countRows(ctx, 'messages')).toBe(1)
  })

  it('is changed and skipped during a pause, and goes on as changed', async () => {
    const { ctx, send, timesOf } = await setUp()
    const { seriesId } = await send()
    await pauseSeries(ctx, { id: seriesId })
    expect(timesOf(await skipNext(ctx, { id: seriesId }))).toEqual([1, 2, 3, 4])
    const repeat = { rule: 'FREQ=DAILY;INTERVAL=3' }
    expect(timesOf(await changeSeries(ctx, { id: seriesId, change: { repeat } }))).toEqual([3, 6, 9, 12, 15])
    await clock.set(2 * HOUR + 3 * DAY)
    await startAll(ctx)
    expect(await countRows(ctx, 'messages')).toBe(0)
    expect(timesOf(await resumeSeries(ctx, { id: seriesId }))).toEqual([6, 9, 12, 15, 18])
  })

  it('is ended: what has not started is cancelled', async () => {
    const { ctx, send } = await setUp()
    const { id, seriesId } = await send()
    const ended = await endSeries(ctx, { id: seriesId })
    expect(ended).toMatchObject({ state: 'ended', next: [], endedAt: expect.any(Number) })
    expect(await getMessage(ctx, { id })).toMatchObject({ state: 'cancelled' })
    await clock.set(2 * HOUR)
    await startAll(ctx)
    expect(await countRows(ctx, 'messages')).toBe(0)
    for (const verb of [endSeries, pauseSeries, resumeSeries, skipNext])
      await expect(verb(ctx, { id: seriesId })).rejects.toMatchObject({ code: 'series-ended' })
  })

  it('is listed, the newest first, a page at a time, and is not another app’s', async () => {
    const { ctx, send } = await setUp()
    const other = await setUp()
    const ids: string[] = []
    for (let number = 0; number < 3; number++) ids.unshift((await send()).seriesId)
    const first = await listSeries(ctx, { limit: 2 })
    const second = await listSeries(ctx, { limit: 2, cursor: first.cursor as string })
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids)
    expect(second.cursor).toBeUndefined()
    const [id] = ids as [string]
    for (const verb of [getSeries, endSeries, pauseSeries, resumeSeries, skipNext]) {
      await expect(verb(other.ctx, { id })).rejects.toMatchObject({ code: 'not-found' })
      await expect(verb(ctx, { id: 'x' })).rejects.toMatchObject({ code: 'not-found' })
    }
    await expect(changeSeries(other.ctx, { id, change: {} })).rejects.toMatchObject({ code: 'not-found' })
  })

  it('is forgotten 90 days after its end', async () => {
    const { ctx, send } = await setUp()
    const [ended, going] = [await send(), await send()]
    await endSeries(ctx, { id: ended.seriesId })
    await clock.set(89 * DAY)
    await forgetEndedSeries(ctx)
    await getSeries(ctx, { id: ended.seriesId })
    await clock.set(91 * DAY)
    await forgetEndedSeries(ctx)
    await expect(getSeries(ctx, { id: ended.seriesId })).rejects.toMatchObject({ code: 'not-found' })
    await getSeries(ctx, { id: going.seriesId })
    await endSeries(ctx, { id: going.seriesId })
  })

  it('forgets a user who is deleted, and goes altogether when it was for nobody else', async () => {
    const { ctx, send, start } = await setUp()
    const own = await send({ user: 'nobody-yet' })
    const shared = await send({ user: undefined, users: ['omid', 'nobody-yet'] })
    const lent = (await getSeries(ctx, { id: own.seriesId })).next[1]?.id as string
    await changeScheduled(ctx, { id: lent, change: { user: 'omid' } })
    const exported = await readExport(ctx, { userId: 'nobody-yet' })
    expect(exported.series).toMatchObject([
      { id: own.seriesId, user: 'nobody-yet' },
      { id: shared.seriesId, userCount: 2 },
    ])
    expect(JSON.stringify(exported)).not.toContain('omid')
    await deleteUser(ctx, { userId: 'nobody-yet' })
    await expect(getSeries(ctx, { id: own.seriesId })).rejects.toMatchObject({ code: 'not-found' })
    expect((await getSeries(ctx, { id: shared.seriesId })).message).toMatchObject({ user: 'omid' })
    await clock.set(2 * HOUR + DAY)
    await startAll(ctx)
    expect(await getMessage(ctx, { id: lent })).toMatchObject({ state: 'sending', user: 'omid', sendAt: start + DAY })
    const [left] = await store.query<{ names: number }>(sql`
      select count(*)::int as names from scheduled_messages where app_id = ${ctx.app.id} and 'nobody-yet' = any(user_ids)`)
    expect(left?.names).toBe(0)
    await endSeries(ctx, { id: shared.seriesId })
  })
})

describe('a series at a local time', () => {
  const clockAt = (at: number) => new Date(at + 14 * HOUR).toISOString().slice(0, 19)

  it('has occurrences that go at that time on each user’s clock', async () => {
    const { ctx, send, start, timesOf } = await setUp()
    const local = clockAt(start)
    const { id, seriesId, count } = await send({ sendAt: { local, late: 'skip' }, repeat: { rule: 'FREQ=DAILY' } })
    expect(count).toBe(2)
    const series = await getSeries(ctx, { id: seriesId })
    expect(timesOf(series)).toEqual([0, 1, 2, 3, 4])
    expect(series).toMatchObject({
      ...{ sendAt: start, localTime: { local, zone: 'UTC', late: 'skip' }, repeat: { zone: 'UTC' } },
    })
    expect(await getMessage(ctx, { id })).toMatchObject({
      sendAt: start,
      localTime: { local, zone: 'UTC', late: 'skip' },
    })
    const { data } = await listScheduled(ctx, {})
    expect(data.map(({ localTime }) => localTime?.local)).toEqual(
      [0, 1, 2, 3, 4].map((days) => clockAt(start + days * DAY)),
    )
  })

  it('keeps its times when its text is changed, and changes them when it is moved', async () => {
    const { ctx, send, start } = await setUp()
    const { seriesId } = await send({ sendAt: { local: clockAt(start) } })
    await changeSeries(ctx, { id: seriesId, change: { content: 'other' } })
    const first = await getMessage(ctx, { id: await nextId(ctx, seriesId) })
    expect(first).toMatchObject({ content: 'other', localTime: { local: clockAt(start), late: 'now' } })
    const weekly = await changeSeries(ctx, { id: seriesId, change: { repeat: { rule: 'FREQ=WEEKLY' } } })
    expect(weekly.next.map(({ sendAt }) => (sendAt - start) / DAY)).toEqual([0, 7, 14, 21, 28])
    expect(weekly.localTime).toMatchObject({ local: clockAt(start) })
    const moment = await changeSeries(ctx, { id: seriesId, change: { sendAt: start + HOUR } })
    expect(moment).not.toHaveProperty('localTime')
    expect(await getMessage(ctx, { id: moment.next[0]?.id as string })).not.toHaveProperty('localTime')
  })

  it('starts when the first clocks show it, and late ones go for a day', async () => {
    const { ctx, send, start } = await setUp()
    const { id, seriesId } = await send({ sendAt: { local: clockAt(start) } })
    await clock.set(start - Date.now() + 20 * HOUR)
    await startAll(ctx)
    expect(await getMessage(ctx, { id })).toMatchObject({ state: 'scheduled', seriesId, localTime: { zone: 'UTC' } })
    expect((await getSeries(ctx, { id: seriesId })).sent).toBe(1)
    await clock.set(start - Date.now() + DAY + 28 * HOUR)
    await startAll(ctx)
    expect(await getSeries(ctx, { id: seriesId })).toMatchObject({ sent: 2, missed: 1 })
  })

  it('begins at once when some have passed it, and a dry run says when', async () => {
    const { ctx, start, send } = await setUp()
    const local = clockAt(start - 10 * HOUR)
    const { seriesId, id } = await send({ sendAt: { local } })
    expect((await getMessage(ctx, { id })).sendAt).toBeLessThan(start)
    const { next: ahead } = await getSeries(ctx, { id: seriesId })
    expect(ahead.slice(1).map(({ sendAt }) => sendAt)).toEqual(
      [1, 2, 3, 4].map((days) => start + days * DAY - 10 * HOUR),
    )
    const sent = { target: {}, content: 'x', sendAt: { local: clockAt(start) }, repeat: { rule: 'FREQ=DAILY' } }
    const { next, plan } = await previewSend(ctx, { sent, product: 'message', to: 'group' })
    expect(next).toEqual([0, 1, 2, 3, 4].map((days) => start + days * DAY))
    expect(plan).toEqual([{ at: start + 14 * HOUR, count: 3 }])
  })

  it('cannot be live', async () => {
    const { send, start } = await setUp()
    await expect(send({ sendAt: { local: clockAt(start) }, live: true })).rejects.toThrow('"live"')
  })
})
