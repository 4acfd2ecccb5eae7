import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import {
  clientIdOf,
  connectClient,
  connectRaw,
  createConnectionServerForTest,
  holdPool,
  leaveMessage,
  type RawClient,
  readDelivery,
  upgradeStatus,
} from '@peyk/test/connection.ts'
import type { Device } from '@peyk/test/devices.ts'
import { effort, isThorough } from '@peyk/test/runner/effort.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import { until } from '@peyk/test/runner/until.ts'
import packets from 'mqtt-packet'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { limits } from '#base/config.ts'

const { ctx, store, port, tcpUrl, wsUrl, baseUrl, clientKey, register, call } = await createConnectionServerForTest({
  PEYK_RATE_CLIENT: '1000000',
  PEYK_TEST_DURATIONS: '{"slowReaderMs":3000}',
})

const connectPacket = (device: Device, protocolVersion: 4 | 5 = 4) =>
  packets.generate(
    {
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion,
      clientId: clientIdOf(ctx, device),
      clean: false,
      keepalive: 60,
      username: clientKey,
      password: Buffer.from(clientKey),
    },
    { protocolVersion },
  )

async function connected(version: 4 | 5 = 5): Promise<RawClient & { device: Device }> {
  const device = await register()
  const raw = await connectRaw(port, version)
  raw.socket.write(connectPacket(device, version))
  await until(
    () => raw.find('connack'),
    (packet) => packet !== undefined,
  )
  return Object.assign(raw, { device })
}

const closed = (raw: { isClosed: boolean }) =>
  until(
    () => raw.isClosed,
    (isClosed) => isClosed,
  )

/** Somebody else, who must not notice anything. */
const witness = await connectClient(tcpUrl, { clientId: clientIdOf(ctx, await register('witness')), key: clientKey })

async function expectUndisturbed(): Promise<void> {
  const before = witness.received.length
  const [device] = (await call('GET', '/api/installations/fetchByUserId/witness')).body
  await leaveMessage(ctx, device.id)
  await until(
    () => witness.received.length,
    (count) => count > before,
  )
}

describe('what is no packet', () => {
  const start = connectPacket({ id: '0c6a2f0e-6f3e-4c56-9f0a-3d5f4f7f2f11', userId: 'nobody' })
  it.each([
    ['HTTP', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['a length of five bytes', Buffer.from([0x10, 0xff, 0xff, 0xff, 0xff, 0x7f])],
    ['a CONNECT of 256 MB', Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f])],
    ['a CONNECT that is cut by its own length', Buffer.from([start[0] as number, 5, ...start.subarray(2)])],
    ['an empty CONNECT', Buffer.from([0x10, 0])],
    ['a PUBLISH before CONNECT', Buffer.from([0x30, 3, 0, 1, 0x61])],
    ['a PINGREQ before CONNECT', Buffer.from([0xc0, 0])],
    ['a packet of no kind', Buffer.from([0x00, 0])],
    ['flags that are not allowed', Buffer.from([0x1f, 0])],
  ])('%s closes the connection', async (_, bytes) => {
    const raw = await connectRaw(port)
    raw.socket.write(bytes)
    await closed(raw)
    expect(raw.packets.filter(({ cmd }) => cmd !== 'connack')).toEqual([])
  })

  it('is told to a connected version 5 client with its code', async () => {
    const cases: [Buffer, number][] = [
      [Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f]), 0x95],
      [Buffer.from([0x30, 0xff, 0xff, 0xff, 0xff, 0x7f]), 0x81],
      [Buffer.from([0x36, 2, 0, 0]), 0x81],
      [Buffer.from([0x82, 3, 0, 1, 0]), 0x82],
      [Buffer.from([0xa2, 3, 0, 1, 0]), 0x82],
      [Buffer.from([0x20, 2, 0, 0]), 0x82],
      [connectPacket(witnessDevice, 5), 0x82],
      [Buffer.from([0x50, 2, 0, 1]), 0x82],
    ]
    for (const [bytes, code] of cases) {
      const raw = await connected()
      raw.socket.write(bytes)
      await closed(raw)
      expect(raw.find('disconnect'), bytes.toString('hex', 0, 8)).toMatchObject({ reasonCode: code })
    }
    await expectUndisturbed()
  })

  it.each([
    ['SUBSCRIBE', Buffer.from([0x82, 6, 0, 0, 0, 1, 0x61, 1])],
    ['UNSUBSCRIBE', Buffer.from([0xa2, 5, 0, 0, 0, 1, 0x61])],
    ['PUBLISH', Buffer.from([0x32, 5, 0, 1, 0x61, 0, 0])],
    ['PUBACK', Buffer.from([0x40, 2, 0, 0])],
  ])('is a %s with the packet id 0', async (_, bytes) => {
    const raw = await connected(4)
    raw.socket.write(bytes)
    await closed(raw)
    expect(raw.packets.map(({ cmd }) => cmd)).toEqual(['connack'])
  })

  it.runIf(isThorough)('of chance neither throws nor stays', async () => {
    for (let round = 0; round < 60; round++) {
      const raw = round % 2 ? await connected(round % 4 === 1 ? 4 : 5) : await connectRaw(port)
      const kind = [0x10, 0x30, 0x32, 0x40, 0x82, 0xa2, 0xe0, 0xf0][round % 8] as number
      const junk = randomBytes(40)
      raw.socket.write(Buffer.concat([Buffer.from([kind, junk.length]), junk]))
      raw.socket.end(randomBytes(200))
      await closed(raw)
    }
    await expectUndisturbed()
  })
})

const witnessDevice = { id: '0c6a2f0e-6f3e-4c56-9f0a-3d5f4f7f2f11', userId: 'nobody' }

describe('too much', () => {
  it('PUBLISHes of 256 MB from many clients leave memory flat', async () => {
    const before = process.memoryUsage().rss
    const raws = await Promise.all(Array.from({ length: 50 }, () => connected(4)))
    const chunk = Buffer.alloc(64 * 1024)
    for (const raw of raws) {
      raw.socket.write(Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f, 0, 1, 0x61]))
      for (let count = 0; count < 16 && !raw.isClosed; count++) raw.socket.write(chunk)
    }
    for (const raw of raws) await closed(raw)
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024)
    await expectUndisturbed()
  })

  it.runIf(isThorough)('subscriptions beyond the limit are refused', async () => {
    const raw = await connected(5)
    const perPacket = 2_000
    const granted: number[] = []
    for (let number = 0; number < 100_000 / perPacket; number++) {
      const subscriptions = Array.from({ length: perPacket }, (_, index) => ({
        topic: `app/${ctx.app.label}/user/public/c${number * perPacket + index}`,
        qos: 1 as const,
      }))
      raw.send({ cmd: 'subscribe', messageId: number + 1, subscriptions })
      const suback = await until(
        () => raw.packets.findLast((packet) => packet.cmd === 'suback' && packet.messageId === number + 1),
        (packet) => packet !== undefined,
      )
      granted.push(...(suback as { granted: number[] }).granted)
    }
    expect(granted.slice(0, limits.channelsPerInstallation).every((code) => code === 1)).toBe(true)
    expect(granted.slice(limits.channelsPerInstallation).every((code) => code === 0x97)).toBe(true)
    const { body } = await call('GET', `/api/installations/fetchById/${raw.device.id}`)
    expect(body.subscriptions).toHaveLength(limits.channelsPerInstallation + 1)
    await expectUndisturbed()
  })

  it('a client that does not read is cut off, and its messages wait', async () => {
    const slow = await connected(4)
    slow.socket.pause()
    const body = { content: 'x'.repeat(500_000) }
    const id = await leaveMessage(ctx, slow.device.id, { body })
    for (let count = 0; count < 40; count++) await leaveMessage(ctx, slow.device.id, { body })
    const isConnected = async () => (await call('GET', `/api/installations/fetchById/${slow.device.id}`)).body.connected
    await until(isConnected, (is) => !is)
    expect(await readDelivery(ctx, id)).toMatchObject({ state: 'queued', in_inbox: true })
    const again = await connectClient(tcpUrl, { clientId: clientIdOf(ctx, slow.device), key: clientKey })
    await until(
      () => again.received.map(({ body }) => body.id),
      (ids) => ids.includes(id),
    )
    await again.endAsync()
  })

  it('publishes of one client wait for the database, not for memory', async () => {
    const raw = await connected(4)
    const count = 1_000
    for (let messageId = 1; messageId <= count; messageId++) {
      const topic = `app/${ctx.app.label}/track/many/${raw.device.id}`
      raw.send({
        cmd: 'publish',
        qos: 1,
        dup: false,
        retain: false,
        messageId,
        topic,
        payload: `{"id":"${messageId}"}`,
      })
    }
    const pubacks = await until(
      () => raw.packets.filter(({ cmd }) => cmd === 'puback'),
      (all) => all.length === count,
    )
    expect(pubacks.map(({ messageId }) => messageId)).toEqual(Array.from({ length: count }, (_, index) => index + 1))
  })
})

describe('what is large and has to wait', () => {
  it('stays with the client: the service reads no further than it can work off', async () => {
    const raw = await connected(4)
    const other = await connected(4)
    const release = await holdPool(store)
    const count = 60
    const payload = JSON.stringify({ content: 'x'.repeat(250_000) })
    for (let messageId = 1; messageId <= count; messageId++) {
      const topic = `app/${ctx.app.label}/publish/somebody/default`
      raw.send({ cmd: 'publish', qos: 1, dup: false, retain: false, messageId, topic, payload })
    }
    for (let pings = 1; pings <= 20; pings++) {
      other.send({ cmd: 'pingreq' })
      await until(
        () => other.packets.filter(({ cmd }) => cmd === 'pingresp').length,
        (answers) => answers === pings,
      )
    }
    expect(raw.socket.writableLength).toBeGreaterThan(payload.length)
    release()
    await until(
      () => raw.packets.filter(({ cmd }) => cmd === 'puback').length,
      (answers) => answers === count,
    )
  })
})

describe('over WebSocket', () => {
  const open = async () => {
    const socket = new WebSocket(`${wsUrl}/mqtt`, ['mqtt'])
    await once(socket, 'open')
    return socket
  }

  it('a packet may come in pieces and several in one frame', async () => {
    const socket = await open()
    const bytes = connectPacket(await register())
    for (const byte of bytes.subarray(0, 20)) socket.send(Buffer.from([byte]))
    socket.send(bytes.subarray(20, 30), { fin: false })
    socket.send(Buffer.concat([bytes.subarray(30), Buffer.from([0xc0, 0, 0xc0, 0])]), { fin: true })
    const received: Buffer[] = []
    socket.on('message', (data) => received.push(data as Buffer))
    await poll(() => Buffer.concat(received).toString('hex')).toBe('20020000d000d000')
    socket.close()
  })

  it.runIf(isThorough)('pings are answered, though not without end to who does not read', async () => {
    const socket = await open()
    socket.send(connectPacket(await register()))
    await once(socket, 'message')
    let pongs = 0
    let isHeard = false
    socket.on('pong', (data) => {
      pongs++
      isHeard ||= data.toString() === 'last'
    })
    socket.pause()
    const sent = 300_000
    const filler = Buffer.alloc(125)
    for (let count = 1; count <= sent; count++) {
      socket.ping(filler)
      if (count % 10_000 === 0) {
        await until(
          () => socket.bufferedAmount,
          (waiting) => waiting === 0,
        )
      }
    }
    socket.resume()
    await until(
      () => {
        socket.ping('last')
        return isHeard
      },
      (isAnswered) => isAnswered,
    )
    expect(pongs).toBeLessThan(sent / 2)
    socket.terminate()
  })

  it.each([
    ['text', (socket: WebSocket) => socket.send('hello'), 1003],
    ['a frame that is too large', (socket: WebSocket) => socket.send(Buffer.alloc(300_000)), 1009],
    [
      'endless fragments',
      (socket: WebSocket) => {
        for (let count = 0; count < 200; count++) socket.send(Buffer.from([0x10]), { fin: false })
      },
      1008,
    ],
  ])('%s is closed with its code', async (_, send, expected) => {
    const socket = await open()
    send(socket)
    const [code] = await once(socket, 'close')
    expect(code).toBe(expected)
    await expectUndisturbed()
  })

  it('other paths, subprotocols and upgrades are answered as plain requests', async () => {
    expect(await upgradeStatus(`${wsUrl}/elsewhere`, 'http://a.example')).toBe(404)
    expect(await upgradeStatus(`${wsUrl}/mqtt`, 'http://a.example', ['chat'])).toBe(404)
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(baseUrl).port) })
    socket.write(
      'GET /health HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n\r\n',
    )
    const [bytes] = await once(socket, 'data')
    expect(String(bytes)).toMatch(/^HTTP\/1\.1 200/)
    socket.destroy()
  })
})

/** Lets this many bytes through to the client, then cuts the line. */
async function cutAfter(limit: number): Promise<{ port: number; close: () => void }> {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect({ host: '127.0.0.1', port })
    sockets.add(client).add(upstream)
    let passed = 0
    client.pipe(upstream)
    upstream.on('data', (bytes) => {
      const rest = bytes.subarray(0, limit - passed)
      passed += rest.length
      client.write(rest, () => {
        if (passed < limit) return
        client.destroy()
        upstream.destroy()
      })
    })
    for (const socket of [client, upstream]) socket.on('error', () => undefined)
    upstream.on('close', () => client.destroy())
    client.on('close', () => upstream.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as { port: number }).port,
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Connects through a line that is cut after so many bytes from the service, and leaves when it is. */
async function connectAndBeCut(device: Device, cut: number): Promise<void> {
  const proxy = await cutAfter(cut)
  const socket = connect({ host: '127.0.0.1', port: proxy.port })
  socket.on('error', () => undefined)
  socket.on('data', () => undefined)
  socket.write(connectPacket(device))
  await new Promise((resolve) => socket.once('close', resolve))
  proxy.close()
}

describe('a line that is cut at any byte of a PUBLISH', () => {
  const body = { content: 'cut me' }

  it('brings the message after the reconnect, and it is delivered once', async () => {
    const connack = 4
    const whole = await connectRaw(port)
    const first = await register()
    await leaveMessage(ctx, first.id, { body })
    whole.socket.write(connectPacket(first))
    await until(
      () => whole.find('publish'),
      (packet) => packet !== undefined,
    )
    const end = whole.socket.bytesRead
    expect(end).toBeGreaterThan(300)
    const cuts: number[] = []
    for (let cut = connack; cut < end; cut += effort.bytesBetweenCuts) cuts.push(cut)
    cuts.push(end)
    whole.socket.destroy()

    const cutAt = async (cut: number) => {
      const device = await register()
      const id = await leaveMessage(ctx, device.id, { body })
      await connectAndBeCut(device, cut)
      const client = await connectClient(tcpUrl, { clientId: clientIdOf(ctx, device), key: clientKey })
      await until(
        () => readDelivery(ctx, id),
        (row) => row?.state === 'delivered' && !row.in_inbox,
      )
      expect(client.received.map((each) => each.body.id)).toEqual([id])
      await client.endAsync()
      return id
    }
    const ids: string[] = []
    while (cuts.length > 0) ids.push(...(await Promise.all(cuts.splice(0, 20).map(cutAt))))
    const receipts = await store.query<{ kind: string; count: number }>(sql`
      select kind, count(*) as count from receipts
      where app_id = ${ctx.app.id} and message_id = any (${ids}::uuid[]) group by kind`)
    expect(receipts).toEqual([{ kind: 'delivered', count: ids.length }])
  })
})
