import {
  clientIdOf,
  connectClient,
  connectRaw,
  createConnectionServerForTest,
  leaveMessage,
  readDelivery,
} from '@peyk/test/connection.ts'
import { recall } from '@peyk/test/recall.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { settleCancelled } from '#features/deliveries/control/settle-cancelled.ts'
import { getMessage } from '#features/deliveries/read/get-message.ts'
import { listRecalled } from '#features/deliveries/recall/list-recalled.ts'
import { recallMessage } from '#features/deliveries/recall/recall-message.ts'

const { ctx, store, tcpUrl, port, clientKey, register } = await createConnectionServerForTest()

const connect = (device: { id: string; userId: string }) =>
  connectClient(tcpUrl, { clientId: clientIdOf(ctx, device), key: clientKey })

async function leaveDelivered(id: string): Promise<string> {
  const messageId = await leaveMessage(ctx, id)
  await until(
    () => readDelivery(ctx, messageId),
    (row) => row?.state === 'delivered' && !row.in_inbox,
  )
  return messageId
}

it('a connected client is told, and says that it was', async () => {
  const device = await register()
  const client = await connect(device)
  const id = await leaveDelivered(device.id)
  client.received.length = 0
  const answer = recall(ctx, id)
  await until(
    () => client.received,
    (received) => received.length > 0,
  )
  expect(client.received).toMatchObject([
    { topic: `app/${ctx.app.label}/clear/${device.id}`, body: { clear: id }, qos: 1 },
  ])
  await until(
    () => readDelivery(ctx, id),
    (row) => row?.in_inbox === false,
  )
  expect(await readDelivery(ctx, id)).toMatchObject({ state: 'delivered' })
  // The batch that would have followed by push has nobody left to tell.
  await store.query(sql`delete from recall_batches`)
  expect(await answer).toEqual({ id, cancelled: 0, cleared: 1, notReachable: 0 })
  expect(client.received).toHaveLength(1)
})

it('who is away is told when it comes back, also after the message has expired', async () => {
  const device = await register()
  const first = await connect(device)
  const id = await leaveDelivered(device.id)
  await first.endAsync()
  await recallMessage(ctx, { id }, 0)
  await settleCancelled(ctx)
  await listRecalled(ctx)
  await store.query(sql`update messages set expires_at = peyk_now() where id = ${id}`)
  const again = await connect(device)
  await until(
    () => again.received,
    (received) => received.length > 0,
  )
  expect(again.received.map(({ body }) => body)).toEqual([{ clear: id }])
  await until(
    () => getMessage(ctx, { id }),
    ({ recall: counts }) => counts?.cleared === 1,
  )
})

it('a message that is on its way is followed by its recall', async () => {
  const device = await register()
  const raw = await connectRaw(port)
  raw.send({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: 4,
    clean: false,
    clientId: clientIdOf(ctx, device),
    username: clientKey,
    password: Buffer.from(clientKey),
    keepalive: 60,
  })
  await until(
    () => raw.find('connack'),
    (packet) => packet !== undefined,
  )
  const id = await leaveMessage(ctx, device.id)
  const published = () => raw.packets.filter((packet) => packet.cmd === 'publish')
  await until(published, (packets) => packets.length === 1)
  await recallMessage(ctx, { id }, 0)
  await settleCancelled(ctx)
  await listRecalled(ctx)
  const packets = await until(published, (list) => list.length === 2)
  expect(packets.map(({ payload }) => JSON.parse(String(payload)))).toMatchObject([{ id }, { clear: id }])
  for (const { messageId } of packets) raw.send({ cmd: 'puback', messageId: messageId as number })
  await until(
    () => readDelivery(ctx, id),
    (row) => row?.in_inbox === false,
  )
  expect(await readDelivery(ctx, id)).toMatchObject({ state: 'ended', reason: 'cancelled' })
})
