import { randomUUID } from 'node:crypto'
import { addDevices, createDelivery, type TestDevice } from '@peyk/test/delivery.ts'
import { waitForStops } from '@peyk/test/patient-stops.ts'
import { isThorough } from '@peyk/test/runner/effort.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import type { Accepted } from '../../messages/accept/draft-message.ts'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { sendToUsers } from '../../messages/send/send-to-users.ts'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import { getMessage } from '../read/get-message.ts'
import { readOverdue } from '../read/read-overdue.ts'
import { getSending } from './get-sending.ts'
import { pauseMessage } from './pause-message.ts'
import { resumeAllSending } from './resume-all-sending.ts'
import { stopAllSending } from './stop-all-sending.ts'

const { providers, store, createApp, startDispatcher } = await createDelivery()
waitForStops()
const everybody = { target: {}, content: 'Hello', notification: { title: 'Hello' } }
const nothing = { messages: 0, devices: 0, inFlight: 0, sms: 0 }

let ctx: Context
let dispatcher: Dispatcher

beforeEach(async () => {
  ctx = await createApp()
  dispatcher = startDispatcher()
})

afterEach(async () => {
  providers.faults.clear()
  await dispatcher.stop()
})

function received(messageId: string) {
  return providers.record.list({ messageId })
}

async function send(to: Pick<TestDevice, 'userId'>, more: object = {}, sender: Context = ctx): Promise<string> {
  return ((await sendToUsers(sender, { user: to.userId, content: 'Hello', ...more })) as Accepted).id
}

function isDone(id: string, of: Context = ctx) {
  return until(
    () => getMessage(of, { id }),
    ({ progress }) => progress.waiting === 0,
  )
}

/** The dispatcher has looked for work since: it sent a message of another app. */
async function letDispatcherLook(): Promise<void> {
  const other = await createApp()
  const [device] = (await addDevices(other, providers, 'fcm', 1)) as [TestDevice]
  await isDone(await send(device, {}, other), other)
}

describe('when all sending is stopped', () => {
  it.runIf(isThorough)('a group send stops for all that no provider has, and goes on where it was', async () => {
    await addDevices(ctx, providers, 'fcm', 1_500)
    providers.faults.set('fcm', [{ delayMs: 90_000 }])
    const { id } = await sendByQuery(ctx, everybody)
    await until(
      () => getMessage(ctx, { id }),
      ({ progress }) => progress.inFlight === 1_500,
    )
    const answer = await stopAllSending(ctx)
    const inFlight = received(id).length
    const stop = { stopped: true, since: expect.any(Number) }
    expect(answer).toEqual({ ...stop, messages: 1, devices: 1_500 - inFlight, inFlight, sms: 0 })
    providers.faults.clear()
    const { progress } = await until(
      () => getMessage(ctx, { id }),
      (message) => message.progress.inFlight === undefined,
    )
    await letDispatcherLook()
    expect(progress).toMatchObject({ stopped: true, waiting: answer.devices })
    expect(received(id)).toHaveLength(inFlight)
    expect(await resumeAllSending(ctx)).toEqual({ ...nothing, stopped: false, messages: 1, devices: answer.devices })
    expect((await isDone(id)).states).toMatchObject({ sent: 1_500 })
    expect(new Set(received(id).map((push) => push.token)).size).toBe(1_500)
    expect(received(id)).toHaveLength(1_500)
  })

  it('all that is accepted waits and is sent afterwards, but what a person had paused', async () => {
    const [one, two] = (await addDevices(ctx, providers, 'fcm', 2)) as [TestDevice, TestDevice]
    await stopAllSending(ctx)
    const personal = await send(one)
    const { id: group, count } = await sendByQuery(ctx, everybody)
    const keyed = await store.transaction((tx) => send(two, {}, { ...ctx, tx }))
    const paused = await send(two)
    await pauseMessage(ctx, { id: paused })
    expect(count).toBe(2)
    await letDispatcherLook()
    expect([personal, group, keyed, paused].flatMap(received)).toEqual([])
    expect(await getSending(ctx)).toMatchObject({ stopped: true, messages: 3, devices: 4, inFlight: 0 })
    expect(await resumeAllSending(ctx)).toMatchObject({ stopped: false, messages: 3, devices: 4 })
    for (const id of [personal, group, keyed]) await isDone(id)
    expect([personal, group, keyed].flatMap(received)).toHaveLength(4)
    expect((await getMessage(ctx, { id: paused })).progress).toMatchObject({ paused: true, waiting: 1 })
    expect(received(paused)).toEqual([])
  })

  it('what expires meanwhile ends, and what is due is not overdue', async () => {
    const [device] = (await addDevices(ctx, providers, 'fcm', 1)) as [TestDevice]
    await stopAllSending(ctx)
    const id = await send(device)
    await store.query(sql`
      update delivery_batches set available_at = now() - interval '1 hour' where app_id = ${ctx.app.id}`)
    for (const { seconds } of await readOverdue(ctx)) expect(seconds).toBeLessThan(3_600)
    await store.query(sql`update messages set expires_at = now() where app_id = ${ctx.app.id} and id = ${id}`)
    await store.query(sql`update delivery_batches set expires_at = now() where app_id = ${ctx.app.id}`)
    expect((await isDone(id)).reasons).toMatchObject({ expired: 1 })
    expect(received(id)).toEqual([])
  })

  it('a live message is not kept: it has expired when sending is resumed', async () => {
    const [device] = (await addDevices(ctx, providers, 'fcm', 1)) as [TestDevice]
    const holder = randomUUID()
    await store.query(sql`insert into connection_holders values (${holder}, now() + interval '1 hour')`)
    await store.query(sql`
      insert into connections (app_id, installation_no, holder, connection_id, is_open)
      values (${ctx.app.id}, ${device.installationNo}, ${holder}, ${randomUUID()}, true)`)
    await stopAllSending(ctx)
    const id = await send(device, { live: true })
    expect((await getMessage(ctx, { id })).count).toBe(1)
    // The clock of a process may be some milliseconds ahead of the database's.
    const isPast = sql`select from messages where app_id = ${ctx.app.id} and id = ${id} and accepted_at < peyk_now()`
    await poll(() => store.query(isPast)).toHaveLength(1)
    await resumeAllSending(ctx)
    expect((await isDone(id)).reasons).toMatchObject({ expired: 1 })
  })

  it('whoever was storing a message at that moment is waited for', async () => {
    await dispatcher.stop()
    const [device] = (await addDevices(ctx, providers, 'fcm', 1)) as [TestDevice]
    const stored = Promise.withResolvers<void>()
    const mayCommit = Promise.withResolvers<void>()
    const storing = store.transaction(async (tx) => {
      await send(device, {}, { ...ctx, tx })
      stored.resolve()
      await mayCommit.promise
    })
    await stored.promise
    const stopping = stopAllSending(ctx)
    await until(
      () => getSending(ctx),
      ({ stopped }) => stopped,
    )
    mayCommit.resolve()
    await storing
    expect(await stopping).toMatchObject({ stopped: true, messages: 1, devices: 1 })
  })
})

it('stopping twice changes nothing and says since when and by whom, resuming twice neither', async () => {
  const mina = { ...ctx, member: { id: randomUUID(), email: 'mina@shop.example', role: 'admin' } }
  const omid = { ...ctx, member: { id: randomUUID(), email: 'omid@shop.example', role: 'admin' } }
  expect(await resumeAllSending(ctx)).toEqual({ stopped: false, ...nothing })
  const first = await stopAllSending(mina)
  expect(first).toEqual({ stopped: true, since: expect.any(Number), by: 'mina@shop.example', ...nothing })
  expect(await Promise.all([stopAllSending(omid), stopAllSending(ctx)])).toEqual([first, first])
  expect(await Promise.all([resumeAllSending(omid), resumeAllSending(mina)])).toEqual([
    { stopped: false, ...nothing },
    { stopped: false, ...nothing },
  ])
  expect(await getSending(ctx)).toEqual({ stopped: false, ...nothing })
})

it('an audience that is not cut into batches yet counts with all its devices', async () => {
  await dispatcher.stop()
  await addDevices(ctx, providers, 'fcm', 3)
  await sendByQuery(ctx, everybody)
  expect(await getSending(ctx)).toEqual({ stopped: false, ...nothing, messages: 1, devices: 3 })
})
