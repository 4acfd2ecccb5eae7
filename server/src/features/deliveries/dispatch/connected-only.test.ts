import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { addDevices, createDelivery, type TestDevice } from '@peyk/test/delivery.ts'
import { isThorough } from '@peyk/test/runner/effort.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { connectInstallation } from '../../installations/connections/connect-installation.ts'
import { disconnectInstallation } from '../../installations/connections/disconnect-installation.ts'
import { leftKeptMs } from '../../installations/connections/holders-store.ts'
import { releaseConnections } from '../../installations/connections/release-connections.ts'
import { notifyUsers } from '../../messages/send/notify-users.ts'
import { sendToUsers } from '../../messages/send/send-to-users.ts'
import { replaceGlobalCodes } from '../../promo/replace-global-codes.ts'
import { onInbox } from '../inbox/inbox-notifier.ts'
import { advanceDeliveries } from '../progress/advance-deliveries.ts'
import type { Dispatcher } from './dispatcher.ts'
import { takeBatches } from './take-batches.ts'

/** Notifications to installations that no provider reaches: all depends on their connection. */

const { providers, store, createApp, startDispatcher } = await createDelivery()

let ctx: Context
let dispatcher: Dispatcher | undefined
let devices: TestDevice[]
const holder = randomUUID()

beforeEach(async () => {
  ctx = await createApp()
  devices = await addDevices(ctx, providers, 'fcm', 3)
  await store.query(sql`
    update installation_details set device_token = null, device_token_hash = null where app_id = ${ctx.app.id}`)
  await store.query(sql`
    insert into connection_holders values (${holder}, now() + interval '1 hour')
    on conflict (holder) do update set alive_until = excluded.alive_until`)
})

afterEach(async () => {
  await dispatcher?.stop()
  dispatcher = undefined
})

async function connect(device: TestDevice) {
  const connectionId = randomUUID()
  const { installationId, userId, installationNo } = device
  await connectInstallation(ctx, { installationId, userId, holder, connectionId, isClean: false })
  const leave = (mayReturn: boolean) =>
    disconnectInstallation(ctx, { installationId, installationNo, connectionId, unacknowledged: [], mayReturn })
  return { leave }
}

const connectAll = () => Promise.all(devices.map(connect))

async function notify(more: object = {}): Promise<string> {
  const { id } = (await notifyUsers(ctx, {
    users: devices.map(({ userId }) => userId),
    notification: { title: 'Hello' },
    ...more,
  })) as { id: string }
  return id
}

const notifyGroup = () =>
  notifyUsers(ctx, { target: {}, notification: { title: 'Hello' } }).then((answer) => (answer as { id: string }).id)

function deliveriesOf(id: string) {
  return store.query<{ state: string; reason: string | null; provider: string | null; in_inbox: boolean }>(sql`
    select state, reason, provider, in_inbox from deliveries
    where app_id = ${ctx.app.id} and message_id = ${id} order by installation_no`)
}

const batchesOf = (id: string) =>
  store.query<{ attempts: number; lease_holder: string | null }>(
    sql`select attempts, lease_holder from delivery_batches where app_id = ${ctx.app.id} and message_id = ${id}`,
  )

/** All of them have a delivery, and nothing of it is in work. */
async function settled(id: string) {
  await until(
    () => batchesOf(id),
    (batches) => batches.length === 0,
  )
  return deliveriesOf(id)
}

const inInbox = { state: 'queued', reason: null, provider: 'connection', in_inbox: true }
const ended = { state: 'ended', reason: 'no-provider', in_inbox: false }

/** As a worker leaves it that is killed between taking and settling. */
async function takeAndDie(id: string) {
  const lease = { holder: randomUUID(), ms: 0 }
  for (const lane of ['personal', 'group'] as const)
    await takeBatches(store, { lane, lease, blocked: [], perStream: 100, limit: 100 })
  expect(await batchesOf(id)).toMatchObject([{ lease_holder: lease.holder }])
}

/** Expands the audience of a group send, and does no more. */
async function expand(id: string) {
  await store.query(sql`
    update delivery_batches set stream = 'fcm',
      installation_nos = ${devices.map(({ installationNo }) => installationNo)}::bigint[]
    where app_id = ${ctx.app.id} and message_id = ${id} and stream = 'expand'`)
}

describe('a worker that dies after it took a notification', () => {
  it.each([1, 2, 3])('loses nothing, personal or of a group, when that happens %s times', async (times) => {
    await connectAll()
    const ids = [await notify(), await notifyGroup()]
    await expand(ids[1] as string)
    for (let count = 0; count < times; count++) await takeAndDie(ids[0] as string)
    const notified: number[] = []
    const stopListening = onInbox(store, ({ installationNo }) => notified.push(installationNo) > 0)
    dispatcher = startDispatcher()
    for (const id of ids) expect(await settled(id)).toEqual([inInbox, inInbox, inInbox])
    stopListening()
    expect(new Set(notified)).toEqual(new Set(devices.map(({ installationNo }) => installationNo)))
  })

  it('loses nothing when some of it was stored and its clients were told', async () => {
    await connectAll()
    const id = await notify()
    await takeAndDie(id)
    const [first] = devices as [TestDevice]
    await store.transaction((tx) =>
      advanceDeliveries(tx, [
        { appId: ctx.app.id, messageId: id, installationNo: first.installationNo, ...stored, at: new Date() },
      ]),
    )
    dispatcher = startDispatcher()
    expect(await settled(id)).toEqual([inInbox, inInbox, inInbox])
  })

  it('lets the connection have its turn first when a provider is there, too', async () => {
    const [device] = (await addDevices(ctx, providers, 'fcm', 1, 'pushed')) as [TestDevice]
    await connect(device)
    const { id } = (await sendToUsers(ctx, { user: device.userId, content: 'Hello' })) as { id: string }
    await takeAndDie(id)
    dispatcher = startDispatcher({ durations: { acknowledgementMs: 600_000 } })
    await until(
      () => deliveriesOf(id),
      (rows) => rows.length === 1,
    )
    expect(await deliveriesOf(id)).toEqual([inInbox])
    expect(providers.record.list({ messageId: id })).toEqual([])
  })
})

const stored = { state: 'queued', provider: 'connection', inInbox: true } as const

describe('after the database was away', () => {
  it('those who were connected still are, although nobody has said lately that they live', async () => {
    await connectAll()
    await store.query(
      sql`update connection_holders set alive_until = now() - interval '1 minute' where holder = ${holder}`,
    )
    dispatcher = startDispatcher()
    expect(await settled(await notify())).toEqual([inInbox, inInbox, inInbox])
    expect(await settled(await notifyGroup())).toEqual([inInbox, inInbox, inInbox])
  })
})

describe('an installation that was connected until a moment ago', () => {
  it('gets the notification when it is back, and nothing ends before', async () => {
    const connections = await connectAll()
    await Promise.all(connections.map(({ leave }) => leave(true)))
    dispatcher = startDispatcher()
    const id = await notify()
    await until(
      () => deliveriesOf(id),
      (rows) => rows.length === 3,
    )
    expect(await deliveriesOf(id)).toEqual([inInbox, inInbox, inInbox])
    expect(await batchesOf(id)).toMatchObject([{ lease_holder: null }])
  })

  it('is waited for until it should be back, and no longer', async () => {
    const connections = await connectAll()
    await Promise.all(connections.map(({ leave }) => leave(true)))
    dispatcher = startDispatcher({ durations: { returnMs: 500 } })
    const id = await notify()
    expect(await settled(id)).toMatchObject([ended, ended, ended])
  })

  it.runIf(isThorough)('keeps what it was given when it is back by then', async () => {
    const connections = await connectAll()
    await Promise.all(connections.map(({ leave }) => leave(true)))
    dispatcher = startDispatcher({ durations: { returnMs: 10_000 } })
    const id = await notify()
    await until(
      () => deliveriesOf(id),
      (rows) => rows.length === 3,
    )
    await connectAll()
    expect(await settled(id)).toEqual([inInbox, inInbox, inInbox])
  })

  it('is waited for when the process that held it ended in order', async () => {
    await connectAll()
    await releaseConnections(ctx, { holder })
    dispatcher = startDispatcher()
    const id = await notify()
    await until(
      () => deliveriesOf(id),
      (rows) => rows.length === 3,
    )
    expect(await deliveriesOf(id)).toEqual([inInbox, inInbox, inInbox])
  })

  it('is waited for after a start, however long the service was away', async () => {
    const connections = await connectAll()
    await Promise.all(connections.map(({ leave }) => leave(true)))
    const id = await notify()
    await store.query(sql`update connections set left_at = now() - interval '50 minutes' where app_id = ${ctx.app.id}`)
    expect(leftKeptMs).toBeGreaterThan(50 * 60_000)
    dispatcher = startDispatcher()
    await until(
      () => deliveriesOf(id),
      (rows) => rows.length === 3,
    )
    expect(await deliveriesOf(id)).toEqual([inInbox, inInbox, inInbox])
  })

  it('is not waited for when it left by itself, nor for a live message', async () => {
    const [first, ...others] = await connectAll()
    await first?.leave(false)
    const live = await notify({ live: true })
    await Promise.all(others.map(({ leave }) => leave(true)))
    dispatcher = startDispatcher()
    expect(await settled(live)).toMatchObject([ended, ended])
    const id = await notify({ users: [devices[0]?.userId] })
    expect(await settled(id)).toMatchObject([ended])
  })

  it('gets a promo code, too', async () => {
    await replaceGlobalCodes(ctx, { file: Readable.from(['A-1\nA-2\nA-3\n']) })
    const connections = await connectAll()
    await Promise.all(connections.map(({ leave }) => leave(true)))
    dispatcher = startDispatcher()
    const id = await notify({ notification: { title: 'Your code', body: '{{ promoCode }}' } })
    await until(
      () => deliveriesOf(id),
      (rows) => rows.length === 3,
    )
    expect(await deliveriesOf(id)).toEqual([inInbox, inInbox, inInbox])
    expect(await store.query(sql`select from promo_given where app_id = ${ctx.app.id}`)).toHaveLength(3)
  })
})
