import {
  clientIdOf,
  connectRaw,
  createConnectionServerForTest,
  leaveMessage,
  readDelivery,
} from '@peyk/test/connection.ts'
import type { Device } from '@peyk/test/devices.ts'
import { until } from '@peyk/test/runner/until.ts'
import { expect, it } from 'vitest'

const { ctx, port, clientKey, register } = await createConnectionServerForTest()

async function connect(device: Device, version: 4 | 5) {
  const raw = await connectRaw(port, version)
  raw.send({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: version,
    clientId: clientIdOf(ctx, device),
    clean: false,
    keepalive: 30,
    username: clientKey,
  })
  return raw
}

it.each([4, 5] as const)('[ADR-0141] a channel asked for with QoS 0 loses nothing: MQTT %i', async (version) => {
  const device = await register()
  const topic = `app/${ctx.app.label}/user/public/news`
  const first = await connect(device, version)
  first.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic, qos: 0 }] })
  const suback = await until(
    () => first.find('suback'),
    (packet) => packet !== undefined,
  )
  expect(suback?.granted).toEqual([0])

  const id = await leaveMessage(ctx, device.id, { channel: 'public/news' })
  const sent = await until(
    () => first.find('publish'),
    (packet) => packet !== undefined,
  )
  expect(sent).toMatchObject({ topic, qos: 1, dup: false })
  first.socket.destroy()

  const second = await connect(device, version)
  const again = await until(
    () => second.find('publish'),
    (packet) => packet !== undefined,
  )
  expect(again).toMatchObject({ topic, qos: 1, dup: true })
  second.send({ cmd: 'puback', messageId: again?.messageId as number })
  await until(
    () => readDelivery(ctx, id),
    (row) => row?.state === 'delivered' && !row.in_inbox,
  )
})
