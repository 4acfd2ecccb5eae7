import { randomUUID } from 'node:crypto'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import type { Accepted } from '../messages/accept/draft-message.ts'
import { addInstallation, readBatches } from '../messages/installation-rows.test-support.ts'
import { sendByQuery } from '../messages/send/send-by-query.ts'
import { sendToUsers } from '../messages/send/send-to-users.ts'
import { cancelMessage } from './control/cancel-message.ts'
import { countRows, readCounters } from './progress/counters.test-support.ts'
import { getMessage } from './read/get-message.ts'
import { listDeliveries } from './read/list-deliveries.ts'

const store = await createTestStore()

async function setUp() {
  const ctx = await createTestApp(store)
  const send = async (body: Parameters<typeof sendToUsers>[1]) => (await sendToUsers(ctx, body)) as Accepted
  return { ctx, send }
}

async function addDelivery(
  ctx: Context,
  id: string,
  installationNo: number,
  state: string,
  reason: string | null = null,
) {
  await store.query(sql`
    insert into deliveries (app_id, message_id, installation_no, state, reason, provider)
    values (${ctx.app.id}, ${id}, ${installationNo}, ${state}, ${reason}, 'fcm')`)
}

const unknownIds = [randomUUID(), 'no-id', '', "'; drop table messages", '\0', 'x'.repeat(10_000)]

describe('a message that is read', () => {
  it('shows itself with its counts', async () => {
    const { ctx, send } = await setUp()
    const sara = await addInstallation(ctx, 'sara', { subscriptions: ['public/news'] })
    await addInstallation(ctx, 'sara', { subscriptions: ['public/news'] })
    await addInstallation(ctx, 'sara')
    const { id } = await send({ user: 'sara', content: 'hello', channel: 'news', clientId: 'c' })
    const before = await getMessage(ctx, { id })
    expect(before).toMatchObject({
      id,
      content: 'hello',
      user: 'sara',
      clientId: 'c',
      channel: 'public/news',
      count: 2,
    })
    expect(before.states).toMatchObject({ queued: 2, sent: 0, ended: 1 })
    expect(before.reasons).toMatchObject({ 'not-in-channel': 1, gone: 0 })
    await addDelivery(ctx, id, sara.installationNo, 'opened')
    expect((await getMessage(ctx, { id })).states).toEqual({
      queued: 1,
      sent: 1,
      delivered: 1,
      shown: 1,
      opened: 1,
      acted: 0,
      dismissed: 0,
      ended: 1,
    })
  })

  it('to many counts those outside its channel from the beginning', async () => {
    const { ctx, send } = await setUp()
    for (let index = 0; index < 20; index++) await addInstallation(ctx, 'sara', { subscriptions: ['public/news'] })
    for (let index = 0; index < 3; index++) await addInstallation(ctx, 'omid')
    const { id } = await send({ users: ['sara', 'omid'], content: 'hello', channel: 'news' })
    const message = await getMessage(ctx, { id })
    expect(message).toMatchObject({ count: 20, states: { queued: 20, ended: 3 }, reasons: { 'not-in-channel': 3 } })
    expect(message.progress).toEqual({ total: 20, settled: 0, waiting: 20 })
    expect(await readCounters(ctx, id)).toEqual(await countRows(ctx, id))
  })

  it('to a group waits for all it counted', async () => {
    const { ctx } = await setUp()
    await addInstallation(ctx, 'sara')
    await addInstallation(ctx, 'omid')
    const { id } = await sendByQuery(ctx, { target: {}, content: 'x' })
    expect((await getMessage(ctx, { id })).states).toMatchObject({ queued: 2, ended: 0 })
  })

  it.each(unknownIds)('is not found by "%.20s"', async (id) => {
    const { ctx } = await setUp()
    await expect(getMessage(ctx, { id })).rejects.toMatchObject({ code: 'not-found' })
    await expect(listDeliveries(ctx, { id })).rejects.toMatchObject({ code: 'not-found' })
    await expect(cancelMessage(ctx, { id })).rejects.toMatchObject({ code: 'not-found' })
  })

  it('is not found by another app, nor cancelled', async () => {
    const { ctx, send } = await setUp()
    const other = await setUp()
    await addInstallation(ctx, 'sara')
    const { id } = await send({ user: 'sara', content: 'x' })
    await expect(getMessage(other.ctx, { id })).rejects.toMatchObject({ code: 'not-found' })
    await expect(listDeliveries(other.ctx, { id })).rejects.toMatchObject({ code: 'not-found' })
    await expect(cancelMessage(other.ctx, { id })).rejects.toMatchObject({ code: 'not-found' })
    expect((await getMessage(ctx, { id })).states.queued).toBe(1)
  })
})

describe('the deliveries of a message', () => {
  it('are those with a row and those that wait, each once', async () => {
    const { ctx, send } = await setUp()
    const channel = { subscriptions: ['public/news'] }
    const opened = await addInstallation(ctx, 'sara', channel)
    const external = await addInstallation(ctx, 'omid', { deviceType: 'ios' })
    const waiting = await addInstallation(ctx, 'omid', { ...channel, deviceType: 'web' })
    const { id } = await send({ users: ['sara', 'omid'], content: 'x', channel: 'news' })
    await addDelivery(ctx, id, opened.installationNo, 'opened')
    const { data, cursor } = await listDeliveries(ctx, { id })
    expect(data).toEqual([
      {
        installationId: opened.id,
        userId: 'sara',
        deviceType: 'android',
        state: 'opened',
        provider: 'fcm',
        updatedAt: expect.any(Number),
      },
      {
        installationId: external.id,
        userId: 'omid',
        deviceType: 'ios',
        state: 'ended',
        reason: 'not-in-channel',
        updatedAt: expect.any(Number),
      },
      { installationId: waiting.id, userId: 'omid', deviceType: 'web', state: 'queued', updatedAt: expect.any(Number) },
    ])
    expect(cursor).toBeUndefined()
  })

  it('can be asked for by state, reason, user, device and installation', async () => {
    const { ctx, send } = await setUp()
    const gone = await addInstallation(ctx, 'sara')
    const waiting = await addInstallation(ctx, 'sara', { deviceType: 'ios' })
    const other = await addInstallation(ctx, 'omid')
    const { id } = await send({ users: ['sara', 'omid'], content: 'x' })
    await addDelivery(ctx, id, gone.installationNo, 'ended', 'gone')
    const idsOf = async (filter: Partial<Parameters<typeof listDeliveries>[1]>) =>
      (await listDeliveries(ctx, { ...filter, id })).data.map((delivery) => delivery.installationId)
    expect(await idsOf({ state: 'queued' })).toEqual([waiting.id, other.id])
    expect(await idsOf({ state: 'ended' })).toEqual([gone.id])
    expect(await idsOf({ reason: 'gone' })).toEqual([gone.id])
    expect(await idsOf({ reason: 'expired' })).toEqual([])
    expect(await idsOf({ userId: 'sara' })).toEqual([gone.id, waiting.id])
    expect(await idsOf({ userId: 'sara', state: 'queued' })).toEqual([waiting.id])
    expect(await idsOf({ deviceType: 'ios' })).toEqual([waiting.id])
    expect(await idsOf({ installationId: other.id })).toEqual([other.id])
    expect(await idsOf({ installationId: 'no-id' })).toEqual([])
  })

  it('come page by page', async () => {
    const { ctx, send } = await setUp()
    const installations = []
    for (let index = 0; index < 7; index++) installations.push(await addInstallation(ctx, 'sara'))
    const { id } = await send({ user: 'sara', content: 'x' })
    for (const index of [1, 4]) await addDelivery(ctx, id, installations[index]?.installationNo as number, 'sent')
    const seen: unknown[] = []
    let cursor: string | undefined
    do {
      const page = await listDeliveries(ctx, { id, limit: 3, ...(cursor && { cursor }) })
      seen.push(...page.data.map((delivery) => delivery.installationId))
      cursor = page.cursor
    } while (cursor)
    expect(seen).toEqual(installations.map((installation) => installation.id))
    await expect(listDeliveries(ctx, { id, cursor: 'next' })).rejects.toMatchObject({ code: 'invalid-request' })
  })

  it('to a group are not listed before it is expanded', async () => {
    const { ctx } = await setUp()
    await addInstallation(ctx, 'sara')
    const { id } = await sendByQuery(ctx, { target: {}, content: 'x' })
    expect(await listDeliveries(ctx, { id })).toEqual({ data: [] })
  })
})

describe('a message that is cancelled', () => {
  it('is not sent to those who wait, and says how many they are, each time', async () => {
    const { ctx, send } = await setUp()
    const sent = await addInstallation(ctx, 'sara')
    const waiting = await addInstallation(ctx, 'sara')
    const { id } = await send({ user: 'sara', content: 'x' })
    await addDelivery(ctx, id, sent.installationNo, 'sent')
    expect(await cancelMessage(ctx, { id })).toEqual({ id, count: 1, inFlight: 0, handedOver: 1 })
    expect(await readBatches(ctx)).toMatchObject([{ state: 'cancelled' }])
    const message = await getMessage(ctx, { id })
    expect(message.cancelledAt).toBeTypeOf('number')
    expect(message.states).toMatchObject({ queued: 0, sent: 1, ended: 1 })
    expect(message.reasons.cancelled).toBe(1)
    expect((await listDeliveries(ctx, { id, reason: 'cancelled' })).data).toMatchObject([
      { installationId: waiting.id, state: 'ended', updatedAt: message.cancelledAt },
    ])
    expect(await cancelMessage(ctx, { id })).toEqual({ id, count: 1, inFlight: 0, handedOver: 1 })
    expect((await getMessage(ctx, { id })).cancelledAt).toBe(message.cancelledAt)
  })

  it('to a group is cancelled whole before it is expanded', async () => {
    const { ctx } = await setUp()
    await addInstallation(ctx, 'sara')
    await addInstallation(ctx, 'omid')
    const { id } = await sendByQuery(ctx, { target: {}, content: 'x' })
    expect(await cancelMessage(ctx, { id })).toMatchObject({ count: 2, inFlight: 0 })
    expect((await getMessage(ctx, { id })).reasons.cancelled).toBe(2)
    expect(await cancelMessage(ctx, { id })).toMatchObject({ count: 2, inFlight: 0 })
  })

  it('leaves a batch that is being sent to its sender', async () => {
    const { ctx, send } = await setUp()
    await addInstallation(ctx, 'sara')
    const { id } = await send({ user: 'sara', content: 'x' })
    await store.query(sql`
      update delivery_batches set available_at = now() + interval '1 minute', lease_holder = gen_random_uuid()
      where app_id = ${ctx.app.id}`)
    expect(await cancelMessage(ctx, { id })).toEqual({ id, count: 0, inFlight: 1, handedOver: 0 })
    expect((await getMessage(ctx, { id })).states.queued).toBe(1)
    await store.query(
      sql`update delivery_batches set available_at = now() - interval '1 second' where app_id = ${ctx.app.id}`,
    )
    expect(await cancelMessage(ctx, { id })).toEqual({ id, count: 1, inFlight: 0, handedOver: 0 })
  })

  it('of nobody counts 0', async () => {
    const { ctx, send } = await setUp()
    const { id } = await send({ user: 'nobody', content: 'x' })
    expect(await cancelMessage(ctx, { id })).toEqual({ id, count: 0, inFlight: 0, handedOver: 0 })
  })

  it('by several callers at once is cancelled once', async () => {
    const { ctx, send } = await setUp()
    await addInstallation(ctx, 'sara')
    const { id } = await send({ user: 'sara', content: 'x' })
    const answers = await Promise.all(Array.from({ length: 8 }, () => cancelMessage(ctx, { id })))
    expect(new Set(answers.map((answer) => answer.count))).toEqual(new Set([1]))
  })

  it('is not when the transaction is rolled back', async () => {
    const { ctx, send } = await setUp()
    await addInstallation(ctx, 'sara')
    const { id } = await send({ user: 'sara', content: 'x' })
    const work = store.transaction(async (tx) => {
      await cancelMessage({ ...ctx, tx }, { id })
      throw new Error('rolled back')
    })
    await expect(work).rejects.toThrow('rolled back')
    expect((await getMessage(ctx, { id })).states.queued).toBe(1)
  })
})
