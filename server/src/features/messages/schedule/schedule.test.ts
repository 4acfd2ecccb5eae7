import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { countWaiting } from '../../backups/count-waiting.ts'
import { listWaitingMessages } from '../../backups/list-waiting-messages.ts'
import { cancelMessage } from '../../deliveries/control/cancel-message.ts'
import { pauseMessage } from '../../deliveries/control/pause-message.ts'
import { previewSend } from '../../deliveries/dry-run/preview-send.ts'
import { getMessage } from '../../deliveries/read/get-message.ts'
import { deleteUser } from '../../privacy/delete-user.ts'
import { readExport } from '../../privacy/export.test-support.ts'
import { createSegment } from '../../segments/saved/create-segment.ts'
import { deleteSegment } from '../../segments/saved/delete-segment.ts'
import type { Accepted } from '../accept/draft-message.ts'
import { addInstallation, countRows, readBatches } from '../installation-rows.test-support.ts'
import { notifyUsers } from '../send/notify-users.ts'
import { sendByQuery } from '../send/send-by-query.ts'
import { sendToUsers } from '../send/send-to-users.ts'
import { findMessages } from '../stored/find-messages.ts'
import { createTemplate } from '../templates/create-template.ts'
import { deleteTemplate } from '../templates/delete-template.ts'
import { changeScheduled } from './change-scheduled.ts'
import { forgetCancelled } from './forget-cancelled.ts'
import { listScheduled } from './list-scheduled.ts'
import { startScheduled } from './start-scheduled.ts'

const store = await createTestStore()
const HOUR = 3_600_000

async function setUp() {
  const ctx = await createTestApp(store)
  await addInstallation(ctx, 'sara')
  await addInstallation(ctx, 'sara', { deviceType: 'ios' })
  await addInstallation(ctx, 'omid')
  const sendAt = Date.now() + 2 * HOUR
  const send = async (body: Record<string, unknown>) =>
    (await sendToUsers(ctx, { content: 'hello', sendAt, ...body } as never)) as Accepted
  const byQuery = (body: Record<string, unknown>) =>
    sendByQuery(ctx, { content: 'hello', target: {}, sendAt, ...body } as never)
  return { ctx, sendAt, send, byQuery }
}

/** As if its time had come. */
async function makeDue(ctx: Context, minutesAgo = 0): Promise<void> {
  await store.query(sql`
    update scheduled_messages
    set due_at = peyk_now() - make_interval(mins => ${minutesAgo}), available_at = peyk_now() - make_interval(mins => ${minutesAgo})
    where app_id = ${ctx.app.id} and cancelled_at is null`)
}

/** What is due of any app: other tests of this file leave nothing that is. */
async function startAll(ctx: Context): Promise<void> {
  while (await startScheduled(ctx));
}

const countScheduled = async (ctx: Context) =>
  (await store.query(sql`select from scheduled_messages where app_id = ${ctx.app.id}`)).length

describe('a message with sendAt', () => {
  it('is answered at once, and waits', async () => {
    const { ctx, send, sendAt } = await setUp()
    const { id, count } = await send({ users: ['sara', 'omid'], trackId: 'spring', ttl: 60 })
    expect(count).toBe(3)
    await startAll(ctx)
    expect([await countRows(ctx, 'messages'), await readBatches(ctx)]).toEqual([0, []])
    expect(await getMessage(ctx, { id })).toMatchObject({
      ...{ id, state: 'scheduled', sendAt, expireAt: sendAt + 60_000, count: 3, userCount: 2, content: 'hello' },
      ...{ trackId: 'spring', product: 'message', audience: 'users', channel: 'default' },
      progress: { total: 3, settled: 0, waiting: 0 },
    })
  })

  it('goes when it is due, once, with its id, to whom it is for by then, and lives from that moment', async () => {
    const { ctx, send, byQuery } = await setUp()
    const personal = await send({ user: 'sara', ttl: 7_200, fallback: { content: 'sms', delay: 30 } })
    const group = await byQuery({ trackId: 'spring', target: { deviceType: 'ios' } })
    const everybody = await send({ user: '*', channel: 'default' })
    expect([personal.count, group.count, everybody.count]).toEqual([2, 1, 3])
    await addInstallation(ctx, 'sara', { deviceType: 'ios' })
    await makeDue(ctx, 30)
    await Promise.all([startAll(ctx), startAll(ctx), startAll(ctx)])
    await startAll(ctx)
    expect(await countScheduled(ctx)).toBe(0)
    const rows = await store.query(sql`
      select id, recipients, audience, round(extract(epoch from expires_at - peyk_now()) / 60)::int as minutes,
        round(extract(epoch from accepted_at - peyk_now()) / 60)::int as started
      from messages where app_id = ${ctx.app.id} order by recipients, audience`)
    expect(rows).toMatchObject([
      { id: group.id, recipients: 2, audience: 'query', started: 0 },
      { id: personal.id, recipients: 3, audience: 'users', minutes: 90, started: 0 },
      { id: everybody.id, recipients: 4, audience: 'public', started: 0 },
    ])
    expect(await readBatches(ctx)).toHaveLength(3)
    expect(await countRows(ctx, 'campaigns')).toBe(1)
    const [sms] = await store.query<{ seconds: number }>(sql`
      select round(extract(epoch from due_at - peyk_now()))::int as seconds from sms_fallbacks where app_id = ${ctx.app.id}`)
    expect(sms?.seconds).toBeGreaterThan(0)
    expect(await getMessage(ctx, { id: group.id })).toMatchObject({
      state: 'sending',
      count: 2,
      sendAt: expect.any(Number),
    })
    expect((await findMessages(ctx, { user: 'sara' })).data).toMatchObject([{ id: personal.id }])
  })

  it('of the last hour goes now', async () => {
    const { ctx, send } = await setUp()
    await send({ user: 'sara', sendAt: Date.now() - HOUR / 2 })
    expect([await countScheduled(ctx), await countRows(ctx, 'messages')]).toEqual([0, 1])
  })

  it('is taken by every endpoint, and by elements of an array', async () => {
    const { ctx, sendAt } = await setUp()
    await notifyUsers(ctx, { user: 'sara', notification: { title: 'Hi' }, sendAt })
    await notifyUsers(ctx, { target: {}, content: 'x', sendAt: new Date(sendAt).toISOString() })
    const answers = (await sendToUsers(ctx, [
      { user: 'sara', content: 'now' },
      { user: 'omid', content: 'later', sendAt },
      { user: 'omid', content: 'now, too' },
    ])) as Accepted[]
    expect(answers.map(({ count }) => count)).toEqual([2, 1, 1])
    expect([await countScheduled(ctx), await countRows(ctx, 'messages')]).toEqual([3, 2])
    expect((await getMessage(ctx, { id: answers[1]?.id as string })).content).toBe('later')
  })

  it('keeps its template and its saved segment as they were', async () => {
    const { ctx, sendAt } = await setUp()
    const { id: templateId } = await createTemplate(ctx, { name: 'Hello', message: { content: 'from the template' } })
    const segment = { all: [{ name: 'deviceType', operator: 'equal_to', value: 'ios' }] }
    const saved = await createSegment(ctx, { name: 'On iOS', segment })
    const { id } = await sendByQuery(ctx, { templateId, target: 'On iOS', sendAt })
    await deleteTemplate(ctx, { id: templateId })
    await deleteSegment(ctx, { id: saved.id })
    await makeDue(ctx)
    await startAll(ctx)
    expect(await getMessage(ctx, { id })).toMatchObject({
      ...{ content: 'from the template', segment, segmentId: saved.id, count: 1 },
    })
  })

  it('that nobody can be sent any more is not in the way of others', async () => {
    const { ctx, send } = await setUp()
    const bad = await send({ user: 'sara' })
    const good = await send({ user: 'omid' })
    await makeDue(ctx)
    await store.query(sql`update scheduled_messages set sent = '{"content":"{% if"}' where id = ${bad.id}`)
    await startAll(ctx)
    expect(await getMessage(ctx, { id: good.id })).toMatchObject({ state: 'sending' })
    const [left] = await store.query<{ is_later: boolean }>(sql`
      select available_at > peyk_now() as is_later from scheduled_messages where id = ${bad.id}`)
    expect(left?.is_later).toBe(true)
    await store.query(sql`delete from scheduled_messages where id = ${bad.id}`)
  })

  it.each([
    [{ users: ['sara'], sendAt: '2026-12-01T09:00' }, '"sendAt": expected epoch milliseconds'],
    [{ users: ['sara'], sendAt: 4e12 }, 'is more than a year ahead'],
    [{ target: {} }, 'Expected exactly one of "user" or "users"'],
    [{ user: 'sara', content: '{% if' }, 'content'],
    [{ user: 'sara', notification: { title: 'x', clickUrl: 'javascript:alert(1)' } }, 'clickUrl'],
    [{ user: 'sara', content: undefined }, '"content" is required.'],
  ])('%j is refused, and nothing is kept', async (body, why) => {
    const { ctx, send } = await setUp()
    await expect(send(body)).rejects.toThrow(why)
    expect(await countScheduled(ctx)).toBe(0)
  })

  it('in a bad array fails all of it, with the number of the element', async () => {
    const { ctx, sendAt } = await setUp()
    const good = { user: 'sara', content: 'x' }
    await expect(sendToUsers(ctx, [good, { ...good, sendAt }, { ...good, sendAt: 'soon' }])).rejects.toThrow(
      'Element 2: "sendAt"',
    )
    await expect(sendToUsers(ctx, [good, { user: 'sara', content: '{% if', sendAt }])).rejects.toThrow('Element 1: ')
    expect([await countScheduled(ctx), await countRows(ctx, 'messages')]).toEqual([0, 0])
  })
})

describe('a scheduled message', () => {
  it('is listed, what goes next first', async () => {
    const { ctx, send, sendAt } = await setUp()
    const last = await send({ user: 'sara', sendAt: sendAt + 2 })
    const [second, alike] = await Promise.all([send({ user: 'sara' }), send({ user: 'omid' })])
    const cancelled = await send({ user: 'sara' })
    await cancelMessage(ctx, { id: cancelled.id })
    const first = await listScheduled(ctx, { limit: 2 })
    expect(first.data.map(({ id }) => id).toSorted()).toEqual([second.id, alike.id].toSorted())
    const rest = await listScheduled(ctx, { limit: 2, cursor: first.cursor as string })
    expect(rest).toEqual({ data: [expect.objectContaining({ id: last.id, sendAt: sendAt + 2 })] })
  })

  it('is changed in part, until it starts', async () => {
    const { ctx, send, sendAt } = await setUp()
    const { id } = await send({ user: 'sara', ttl: 60, trackId: 'spring' })
    const moved = sendAt - HOUR
    expect(await changeScheduled(ctx, { id, change: { sendAt: moved, content: 'other' } })).toMatchObject({
      ...{ id, sendAt: moved, expireAt: moved + 60_000, content: 'other', user: 'sara', trackId: 'spring', count: 2 },
    })
    const change = { segment: { all: [{ name: 'deviceType', operator: 'equal_to', value: 'ios' }] } }
    expect(await changeScheduled(ctx, { id, change })).toMatchObject({ audience: 'query', count: 1, content: 'other' })
    await expect(changeScheduled(ctx, { id, change: { content: '{{' } })).rejects.toMatchObject({
      code: 'invalid-template',
    })
    expect(await getMessage(ctx, { id })).toMatchObject({ content: 'other', count: 1, sendAt: moved })
    await changeScheduled(ctx, { id, change: { sendAt: Date.now() } })
    await startAll(ctx)
    await expect(changeScheduled(ctx, { id, change: { content: 'late' } })).rejects.toMatchObject({
      code: 'already-started',
    })
    expect(await getMessage(ctx, { id })).toMatchObject({ state: 'sending', content: 'other', count: 1 })
  })

  it('keeps the name of its saved segment when something else is changed', async () => {
    const { ctx, byQuery } = await setUp()
    const saved = await createSegment(ctx, {
      name: 'All',
      segment: { all: [{ name: 'deviceType', operator: 'equal_to', value: 'ios' }] },
    })
    const { id } = await byQuery({ target: 'All' })
    expect(await changeScheduled(ctx, { id, change: { content: 'other' } })).toMatchObject({ segmentId: saved.id })
  })

  it('is cancelled before it goes, and stays known', async () => {
    const { ctx, send } = await setUp()
    const { id } = await send({ user: 'sara' })
    expect(await cancelMessage(ctx, { id })).toEqual({ id, count: 2, inFlight: 0, handedOver: 0 })
    expect(await cancelMessage(ctx, { id })).toMatchObject({ count: 0 })
    await makeDue(ctx)
    await startAll(ctx)
    expect(await countRows(ctx, 'messages')).toBe(0)
    expect(await getMessage(ctx, { id })).toMatchObject({ state: 'cancelled', cancelledAt: expect.any(Number) })
    await expect(changeScheduled(ctx, { id, change: {} })).rejects.toMatchObject({ code: 'already-started' })
  })

  it('that is cancelled or changed while it starts has one outcome', async () => {
    const { ctx, send } = await setUp()
    for (let round = 0; round < 10; round++) {
      const { id } = await send({ user: 'sara' })
      await makeDue(ctx)
      const [cancelled] = await Promise.all([cancelMessage(ctx, { id }), startAll(ctx)])
      const { state } = await getMessage(ctx, { id })
      expect(state).toBe('cancelled')
      expect(cancelled).toMatchObject({ id, inFlight: 0, handedOver: 0, count: 2 })
      const open = await store.query(sql`
        select from delivery_batches where app_id = ${ctx.app.id} and message_id = ${id} and state = 'queued'`)
      expect(open).toEqual([])
    }
  })

  it('cannot be paused', async () => {
    const { ctx, send } = await setUp()
    const { id } = await send({ user: 'sara' })
    await expect(pauseMessage(ctx, { id })).rejects.toMatchObject({ code: 'not-started' })
    await expect(pauseMessage(ctx, { id: 'x' })).rejects.toMatchObject({ code: 'not-found' })
  })

  it('forgets a user who is deleted, and goes altogether when it was for nobody else', async () => {
    const { ctx, send } = await setUp()
    const own = await send({ user: 'sara' })
    const shared = await send({ users: ['omid', 'sara'] })
    expect(await deleteUser(ctx, { userId: 'sara' })).toMatchObject({ messages: 1 })
    await expect(getMessage(ctx, { id: own.id })).rejects.toMatchObject({ code: 'not-found' })
    expect(await getMessage(ctx, { id: shared.id })).toMatchObject({ user: 'omid' })
  })

  it('that was moved to an earlier time does not carry the ids of others into the future', async () => {
    const { ctx, send } = await setUp()
    const { id } = await send({ user: 'sara', sendAt: Date.now() + 48 * HOUR })
    await changeScheduled(ctx, { id, change: { sendAt: Date.now() } })
    await startAll(ctx)
    const next = await send({ user: 'sara', sendAt: undefined })
    expect(next.id < id).toBe(true)
    const after = await send({ user: 'sara', sendAt: undefined })
    expect(after.id > next.id).toBe(true)
  })
})

describe('what is kept of scheduled messages', () => {
  it('is in the export of a user, who is known by them, without the other names', async () => {
    const { ctx, send } = await setUp()
    const { id } = await send({ users: ['nobody-yet', 'sara'] })
    const exported = await readExport(ctx, { userId: 'nobody-yet' })
    expect(exported.messages).toMatchObject([{ id, user: 'nobody-yet', userCount: 2 }])
    expect(JSON.stringify(exported)).not.toContain('sara')
    expect(await deleteUser(ctx, { userId: 'nobody-yet' })).toMatchObject({ users: 0, messages: 0 })
    expect(await getMessage(ctx, { id })).toMatchObject({ user: 'sara' })
  })

  it('goes 90 days after it was cancelled', async () => {
    const { ctx, send } = await setUp()
    const ids = [
      (await send({ user: 'sara' })).id,
      (await send({ user: 'sara' })).id,
      (await send({ user: 'sara' })).id,
    ]
    for (const id of ids.slice(0, 2)) await cancelMessage(ctx, { id })
    await store.query(
      sql`update scheduled_messages set cancelled_at = peyk_now() - interval '91 days' where id = ${ids[0]}`,
    )
    await forgetCancelled(ctx)
    const left = await store.query<{ id: string }>(sql`select id from scheduled_messages where app_id = ${ctx.app.id}`)
    expect(left.map(({ id }) => id).toSorted()).toEqual(ids.slice(1).toSorted())
  })

  it('is discarded after a restore when its time has come, and goes otherwise', async () => {
    const { ctx, send, sendAt } = await setUp()
    const due = await send({ user: 'sara' })
    await makeDue(ctx, 5)
    const later = await send({ user: 'omid', sendAt })
    expect(await countWaiting(ctx)).toMatchObject({ scheduled: 1 })
    const waiting = await listWaitingMessages(store, new Date())
    expect(waiting.filter(({ app }) => app.id === ctx.app.id)).toEqual([{ app: ctx.app, messageId: due.id }])
    await cancelMessage(ctx, { id: due.id })
    expect(await getMessage(ctx, { id: later.id })).toMatchObject({ state: 'scheduled' })
  })

  it('is checked by a dry run, too', async () => {
    const { ctx } = await setUp()
    const sent = { user: 'sara', content: 'x', sendAt: 'soon' }
    await expect(previewSend(ctx, { sent, product: 'message', to: 'users' })).rejects.toThrow('"sendAt"')
  })
})

describe('a scheduled message in several languages', () => {
  const contents = { fa_IR: { content: 'سلام' } }
  const kept = { 'fa-IR': { content: 'سلام' } }

  it('keeps them, and goes with them', async () => {
    const { ctx, send } = await setUp()
    const { id } = await send({ user: 'sara', contents })
    expect((await getMessage(ctx, { id })).contents).toEqual(kept)
    expect(await changeScheduled(ctx, { id, change: { content: 'hi' } })).toMatchObject({
      content: 'hi',
      contents: kept,
    })
    await makeDue(ctx)
    await startAll(ctx)
    expect(await getMessage(ctx, { id })).toMatchObject({
      ...{ content: 'hi', contents: kept },
      languages: { 'fa-IR': 0, default: 0 },
    })
  })

  it('is changed with other ones, which are checked', async () => {
    const { ctx, byQuery } = await setUp()
    const { id } = await byQuery({ contents, fallback: { content: 'x' } })
    const other = { de: { content: 'Hallo' } }
    expect(await changeScheduled(ctx, { id, change: { contents: other } })).toMatchObject({ contents: other })
    await expect(changeScheduled(ctx, { id, change: { contents: { xx: { content: 'x' } } } })).rejects.toMatchObject({
      code: 'invalid-request',
      details: { field: 'contents.xx' },
    })
  })
})
