import type { Socket } from 'node:net'
import { clientIdOf, connectClient, connectRaw, createConnectionServerForTest } from '@peyk/test/connection.ts'
import { effortLevel, isThorough } from '@peyk/test/runner/effort.ts'
import { until } from '@peyk/test/runner/until.ts'
import { describe, expect, it } from 'vitest'

const perWindow = 1_000
const burst = 400
const service = await createConnectionServerForTest({ PEYK_RATE_CLIENT: String(perWindow) })
const { ctx, clientKey, register, call } = service
/** So that being held back for long takes seconds, and a busy machine still sends faster than it may. */
const quick = await createConnectionServerForTest({ PEYK_RATE_CLIENT: '20000' })

const ways = [
  ['publish', 5, 0x96],
  ['publish', 4, undefined],
  ['pingreq', 4, undefined],
  ['subscribe', 4, undefined],
] as const

async function connectTo({ port, ctx, register, clientKey }: typeof service, version: 4 | 5 = 5) {
  const device = await register()
  const raw = await connectRaw(port, version)
  raw.send({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: version,
    clientId: clientIdOf(ctx, device),
    clean: false,
    keepalive: 60,
    username: clientKey,
  })
  await until(
    () => raw.find('connack'),
    (packet) => packet !== undefined,
  )
  const event = (messageId: number | undefined, payload = `{"id":"${messageId}"}`) =>
    raw.send({
      cmd: 'publish',
      topic: `app/${ctx.app.label}/track/fast/${device.id}`,
      payload,
      dup: false,
      retain: false,
      ...(messageId === undefined ? { qos: 0 } : { qos: 1, messageId }),
    })
  return { raw, device, event }
}

describe('a client that asks for more than it may', () => {
  it.runIf(isThorough)(
    'is read more slowly: everything is taken and acknowledged in order, and others do not notice',
    async () => {
      const { raw, device, event } = await connectTo(service)
      const other = await connectClient(service.tcpUrl, {
        clientId: clientIdOf(ctx, await register()),
        key: clientKey,
      })
      const count = burst + 400
      const startedAt = performance.now()
      for (let messageId = 1; messageId <= count; messageId++) event(messageId)
      raw.send({ cmd: 'pingreq' })
      await other.publishAsync(`app/${ctx.app.label}/publish/x/y`, '{}', { qos: 1 })
      expect(raw.find('pingresp')).toBeUndefined()
      await until(
        () => raw.find('pingresp'),
        (packet) => packet !== undefined,
      )
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(((count - burst) / perWindow) * 10_000 - 50)
      const acknowledged = () => raw.packets.flatMap((packet) => (packet.cmd === 'puback' ? [packet.messageId] : []))
      await until(acknowledged, (ids) => ids.length === count)
      expect(acknowledged()).toEqual(Array.from({ length: count }, (_, index) => index + 1))
      const { body } = await call('GET', `/api/events?installationId=${device.id}&limit=1`)
      expect(body.data).toHaveLength(1)
      expect(raw.isClosed).toBe(false)
    },
  )

  it.each(effortLevel === 'usual' ? ways.slice(0, 1) : ways)(
    'and never lets up is closed, by %s with the code of version %i',
    async (cmd, version, code) => {
      const { raw, event } = await connectTo(quick, version)
      const ask = {
        publish: () => event(undefined, 'nothing that could be read'),
        pingreq: () => raw.send({ cmd: 'pingreq' }),
        subscribe: () => raw.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: 'nowhere', qos: 0 }] }),
      }[cmd]
      const before = process.memoryUsage().rss
      const isClosed = new Promise((resolve) => raw.socket.once('close', resolve))
      while (!raw.isClosed) {
        for (let count = 0; count < 500 && !raw.isClosed; count++) ask()
        if (raw.socket.writableNeedDrain) await Promise.race([drained(raw.socket), isClosed])
        else await new Promise((resolve) => setImmediate(resolve))
      }
      expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024)
      const said = raw.find('disconnect')?.reasonCode
      expect([said, raw.wasReset && said === undefined]).toBeOneOf([
        [code, false],
        [undefined, true],
      ])
      const metrics = await fetch(`${quick.baseUrl}/metrics`).then((answer) => answer.text())
      expect(metrics).toMatch(/peyk_connection_closings_total\{reason="rate-too-high"\} [1-4]/)
    },
  )
})

it('a crowd of tiny packets that come at once is not kept', async () => {
  const { raw } = await connectTo(service, 4)
  raw.socket.write(Buffer.alloc(60_000, Buffer.from([0xc0, 0])))
  await closed(raw)
  expect(raw.packets.filter(({ cmd }) => cmd === 'pingresp').length).toBeLessThan(30_000)
})

const drained = (socket: Socket) => new Promise((resolve) => socket.once('drain', resolve))
const closed = (raw: { isClosed: boolean }) =>
  until(
    () => raw.isClosed,
    (isClosed) => isClosed,
  )
