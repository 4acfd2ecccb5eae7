import { randomUUID } from 'node:crypto'
import {
  clientIdOf,
  connectClient,
  createConnectionServerForTest,
  leaveMessage,
  readDelivery,
} from '@peyk/test/connection.ts'
import type { Device } from '@peyk/test/devices.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql, { raw } from 'sql-template-tag'
import { describe, expect, it, vi } from 'vitest'
import { traceHere } from '#base/trace/tracer.test-support.ts'
import { type Fresh, type InboxKey, notifyInbox } from '#features/deliveries/inbox/inbox-notifier.ts'
import { sendToUsers } from '#features/messages/send/send-to-users.ts'

const { ctx, store, tcpUrl, clientKey, register } = await createConnectionServerForTest()
const asked = vi.spyOn(store, 'query')

/** Connected, and its inbox has been read. */
async function connectDevice() {
  const device = await register()
  const client = await connectClient(tcpUrl, { clientId: clientIdOf(ctx, device), key: clientKey })
  const first = await leaveMessage(ctx, device.id)
  await until(
    () => readDelivery(ctx, first),
    (row) => row?.in_inbox === false,
  )
  client.received.length = 0
  return { device, client }
}

/** As the dispatcher notifies when it has put a message into the inbox. */
async function freshFor(device: Device, messageId: string): Promise<InboxKey> {
  const [row] = await store.query<{ installation_no: number; user_no: number }>(
    sql`select installation_no, user_no from installations where app_id = ${ctx.app.id} and id = ${device.id}`,
  )
  const { installation_no: installationNo, user_no: userNo } = row as { installation_no: number; user_no: number }
  const fresh = { messageId, userNo, userId: device.userId, deviceType: 'android' }
  return { appId: ctx.app.id, installationNo, fresh }
}

/** A message that was accepted and that nobody has taken yet. */
async function accept(device: Device): Promise<string> {
  const { id } = (await sendToUsers(ctx, { user: device.userId, content: 'hello' })) as { id: string }
  return id
}

/** A message that was accepted and that a worker has in hand, which is slow or was killed. */
async function leaveInWork(device: Device, attempts = 1): Promise<string> {
  const id = await accept(device)
  await store.query(sql`
    update delivery_batches set attempts = ${attempts}, lease_holder = ${randomUUID()}, available_at = now() + interval '10 seconds'
    where app_id = ${ctx.app.id} and message_id = ${id}`)
  return id
}

/** As the dispatcher settles it: the batch goes in the commit that puts the message into the inbox. */
async function settle(messageId: string): Promise<void> {
  await store.transaction(async (tx) => {
    await tx.query(sql`
      insert into deliveries (app_id, message_id, installation_no, state, provider, in_inbox)
      select app_id, message_id, unnest(installation_nos), 'queued', 'connection', true from delivery_batches
      where app_id = ${ctx.app.id} and message_id = ${messageId}`)
    await tx.query(sql`delete from delivery_batches where app_id = ${ctx.app.id} and message_id = ${messageId}`)
  })
}

const isDelivered = (row: Awaited<ReturnType<typeof readDelivery>>) => row?.state === 'delivered' && !row.in_inbox

describe('what has just come into the inbox of a connected client', () => {
  it('is sent without being read again, once', async () => {
    const { device, client } = await connectDevice()
    const ids: string[] = []
    const sendOne = async () => {
      asked.mockClear()
      const id = await leaveMessage(ctx, device.id, { isNotified: false })
      ids.push(id)
      const key = await freshFor(device, id)
      notifyInbox(store, [key, key])
      await until(() => readDelivery(ctx, id), isDelivered)
      return asked.mock.calls.map(([, name]) => name)
    }
    // While the inbox is being read, as after the connect, what comes waits for the next read.
    await until(sendOne, (names) => names.includes('read-fresh'))
    expect(client.received.map(({ body, qos, dup }) => [body.id, body.content, qos, dup])).toEqual(
      ids.map((id) => [id, 'hello', 1, false]),
    )
    const days = await store.query<{ platform: string }>(
      sql`select platform from delivery_days where app_id = ${ctx.app.id} and platform = 'android' and delivered > 0`,
    )
    expect(days).not.toEqual([])
  })

  it('goes the oldest first', async () => {
    const { device, client } = await connectDevice()
    const ids = [
      await leaveMessage(ctx, device.id, { isNotified: false }),
      await leaveMessage(ctx, device.id, { isNotified: false }),
    ]
    const keys = await Promise.all(ids.map((id) => freshFor(device, id)))
    notifyInbox(store, keys.toReversed())
    for (const id of ids) await until(() => readDelivery(ctx, id), isDelivered)
    expect(client.received.map(({ body }) => body.id)).toEqual(ids)
  })

  it.each(['cancelled_at', 'paused_at', 'expires_at'] as const)('is not sent when %s has come', async (column) => {
    const { device, client } = await connectDevice()
    // In one transaction: a read of the inbox that is still under way may not see it as it was before.
    const stopped = await store.transaction(async (tx) => {
      const id = await leaveMessage({ ...ctx, store: { ...store, query: tx.query } }, device.id, { isNotified: false })
      await tx.query(sql`update messages set ${raw(column)} = now() where app_id = ${ctx.app.id} and id = ${id}`)
      return id
    })
    const next = await leaveMessage(ctx, device.id, { isNotified: false })
    notifyInbox(store, [await freshFor(device, stopped), await freshFor(device, next)])
    await until(() => readDelivery(ctx, next), isDelivered)
    expect(client.received.map(({ body }) => body.id)).toEqual([next])
  })

  it('is not sent to an installation that is somebody else’s by now', async () => {
    const { device, client } = await connectDevice()
    const { fresh, ...key } = await freshFor(device, '')
    const other = await register(`other-${randomUUID()}`)
    const messageId = await store.transaction(async (tx) => {
      const id = await leaveMessage({ ...ctx, store: { ...store, query: tx.query } }, device.id, { isNotified: false })
      await tx.query(sql`
        update installations set user_no = (select user_no from installations where app_id = ${ctx.app.id} and id = ${other.id})
        where app_id = ${ctx.app.id} and id = ${device.id}`)
      return id
    })
    notifyInbox(store, [{ ...key, fresh: { ...(fresh as Fresh), messageId } }])
    await until(
      () => client.connected,
      (isConnected) => !isConnected,
    )
    expect(client.received).toEqual([])
  })

  it('does not pass what came into the inbox before it and nobody was told of', async () => {
    const { device, client } = await connectDevice()
    // As when the client was away while their way was chosen, and was back before they were stored.
    const older = [
      await leaveMessage(ctx, device.id, { isNotified: false }),
      await leaveMessage(ctx, device.id, { isNotified: false }),
    ]
    const newer = await leaveMessage(ctx, device.id, { isNotified: false })
    notifyInbox(store, [await freshFor(device, newer)])
    await until(() => readDelivery(ctx, newer), isDelivered)
    expect(client.received.map(({ body }) => body.id)).toEqual([...older, newer])
  })

  it.each(['told of it alone', 'told to read the inbox'])(
    'does not pass what was accepted before it and is still in work, %s',
    async (how) => {
      const { device, client } = await connectDevice()
      const older = how === 'told of it alone' ? await leaveInWork(device) : await accept(device)
      const newer = await leaveMessage(ctx, device.id, { isNotified: false, at: new Date(Date.now() + 1_000) })
      const key = await freshFor(device, newer)
      asked.mockClear()
      notifyInbox(
        store,
        how === 'told of it alone' ? [key] : [{ appId: key.appId, installationNo: key.installationNo }],
      )
      // It is looked at again and again.
      await until(
        () => asked.mock.calls.filter(([, name]) => name === 'read-inbox').length,
        (count) => count > 2,
      )
      expect(client.received).toEqual([])
      await settle(older)
      await until(() => readDelivery(ctx, newer), isDelivered)
      expect(client.received.map(({ body }) => body.id)).toEqual([older, newer])
    },
  )

  it('passes what a provider wants to have later, or what was taken in vain too often', async () => {
    const { device, client } = await connectDevice()
    const later = await leaveInWork(device)
    await store.query(sql`
      update delivery_batches set lease_holder = null where app_id = ${ctx.app.id} and message_id = ${later}`)
    await leaveInWork(device, 6)
    const newer = await leaveMessage(ctx, device.id, { isNotified: false, at: new Date(Date.now() + 1_000) })
    notifyInbox(store, [await freshFor(device, newer)])
    await until(() => readDelivery(ctx, newer), isDelivered)
    expect(client.received.map(({ body }) => body.id)).toEqual([newer])
  })

  it('waits for its turn behind what waits already, and is written for its user', async () => {
    const { device, client } = await connectDevice()
    const older = await leaveMessage(ctx, device.id, { isNotified: false })
    const personal = { content: 'for {{ user.id }}' }
    const newer = await leaveMessage(ctx, device.id, { isNotified: false, body: personal })
    const { fresh: _, ...notified } = await freshFor(device, older)
    notifyInbox(store, [notified, await freshFor(device, newer)])
    await until(() => readDelivery(ctx, newer), isDelivered)
    expect(client.received.map(({ body }) => body.id)).toEqual([older, newer])
  })
})

it('is traced from the connection to the acknowledgement, by the id of the message', async () => {
  const ended = traceHere()
  const { device, client } = await connectDevice()
  const id = await leaveMessage(ctx, device.id)
  await until(
    () => readDelivery(ctx, id),
    (row) => row?.in_inbox === false,
  )
  await client.publishAsync(`app/${ctx.app.label}/track/visit/${device.id}`, '{}', { qos: 1 })
  const ofMessage = ended.filter(({ traceId }) => traceId === id.replaceAll('-', ''))
  expect(ofMessage.map(({ name }) => name)).toEqual(expect.arrayContaining(['send connection', 'mqtt puback']))
  const spanOf = (name: string) => Object.fromEntries(ended.find((span) => span.name === name)?.attributes ?? [])
  expect(spanOf('mqtt connect')).toEqual({ 'peyk.app_id': ctx.app.label, 'peyk.outcome': 'connected' })
  expect(spanOf('mqtt publish')).toEqual({ 'peyk.app_id': ctx.app.label, 'peyk.topic': 'track', 'peyk.qos': 1 })
})
