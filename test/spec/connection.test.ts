import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { IPublishPacket } from 'mqtt-packet'
import sql from 'sql-template-tag'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  clientIdOf,
  connectClient,
  connectRaw,
  createConnectionServerForTest,
  leaveMessage,
  openConnectionServer,
  type RawClient,
  readDelivery,
  upgradeStatus,
} from '../helpers/connection.ts'
import { createTestApp, createTestStore, createTestToken } from '../helpers/database/test-store.ts'
import { type Device, registerDevice } from '../helpers/devices.ts'
import { noMosquitto } from '../helpers/programs/mosquitto.ts'
import { findProgram } from '../helpers/programs/programs.ts'
import { isThorough } from '../helpers/runner/effort.ts'
import { poll } from '../helpers/runner/poll.ts'
import { until } from '../helpers/runner/until.ts'

const service = await createConnectionServerForTest({ PEYK_TEST_DURATIONS: '{"holdEveryMs":1000}' })
const { ctx, store, tcpUrl, wsUrl, port, clientKey, token, register, call } = service

const lines = { tcp: tcpUrl, 'ws /mqtt': `${wsUrl}/mqtt`, 'ws /': wsUrl }
const ways = Object.entries(lines).flatMap(([line, url]) =>
  ([4, 5] as const).map((protocolVersion) => ({ line, url, protocolVersion })),
)
const topic = (rest: string) => `app/${ctx.app.label}/${rest}`
const idOf = (device: Device) => clientIdOf(ctx, device)
const connect = (device: Device, options: { url?: string; protocolVersion?: 4 | 5; keepalive?: number } = {}) => {
  const { url = tcpUrl, ...rest } = options
  return connectClient(url, { clientId: idOf(device), key: clientKey, ...rest })
}
const show = async (device: Device) => (await call('GET', `/api/installations/fetchById/${device.id}`)).body
const rawConnect = async (
  device: Device,
  options: { version?: 4 | 5; clean?: boolean; keepalive?: number; properties?: object } = {},
): Promise<RawClient> => {
  const { version = 4, clean = false, keepalive = 30, properties } = options
  const raw = await connectRaw(port, version)
  raw.send({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: version,
    clientId: idOf(device),
    clean,
    keepalive,
    username: clientKey,
    password: Buffer.from(clientKey),
    ...(properties && { properties }),
  })
  await until(
    () => raw.find('connack'),
    (packet) => packet !== undefined,
  )
  return raw
}

describe.each(ways)('over $line with MQTT $protocolVersion', ({ url, protocolVersion }) => {
  it('a client connects, subscribes, receives and acknowledges', async () => {
    const device = await register()
    const client = await connect(device, { url, protocolVersion })
    const [granted] = await client.subscribeAsync(topic(`user/${device.userId}/default`), { qos: 1 })
    expect(granted?.qos).toBe(1)
    const id = await leaveMessage(ctx, device.id, { body: { content: 'سلام', data: { order: 7 } } })
    await until(
      () => client.received.length,
      (count) => count === 1,
    )
    expect(client.received[0]).toMatchObject({
      topic: topic(`user/${device.userId}/default`),
      qos: 1,
      dup: false,
      body: { id, content: 'سلام', data: { order: 7 }, silent: false, publishId: id },
    })
    await until(
      () => readDelivery(ctx, id),
      (row) => row?.state === 'delivered' && !row.in_inbox,
    )
    await client.endAsync()
  })

  it('a client is refused with the code of its protocol', async () => {
    const device = await register()
    const other = await register()
    const foreignKey = await createTestToken(await createTestApp(store), ['client'])
    const readKey = await createTestToken(ctx, ['read'])
    const codes = protocolVersion === 5 ? { name: 0x85, key: 0x86, other: 0x87 } : { name: 2, key: 4, other: 5 }
    const unknown = '00000000-0000-4000-8000-000000000000'
    const tries: [string, string, number][] = [
      ['nobody', clientKey, codes.name],
      [`${ctx.app.label}/${device.userId}/x`, clientKey, codes.name],
      [`${idOf(device)}/more`, clientKey, codes.name],
      [idOf(device), 'f'.repeat(40), codes.key],
      [idOf(device), 'no key', codes.key],
      [idOf(device), foreignKey, codes.other],
      [idOf(device), readKey, codes.other],
      [clientIdOf(ctx, { ...device, userId: other.userId }), clientKey, codes.other],
      [clientIdOf(ctx, { ...device, id: unknown }), clientKey, codes.other],
    ]
    for (const [clientId, key, code] of tries) {
      await expect(connectClient(url, { clientId, key, protocolVersion }), clientId).rejects.toMatchObject({ code })
    }
    expect(await show(device)).toMatchObject({ connected: false })
  })

  it('a second client with the same id takes over, and the first is closed', async () => {
    const device = await register()
    const first = await connect(device, { url, protocolVersion })
    let reasonCode: number | undefined
    first.on('disconnect', (packet) => {
      reasonCode = packet.reasonCode
    })
    const second = await connect(device, { url, protocolVersion })
    await until(
      () => first.connected,
      (isConnected) => !isConnected,
    )
    if (protocolVersion === 5) expect(reasonCode).toBe(0x8e)
    const id = await leaveMessage(ctx, device.id)
    await until(
      () => second.received.map(({ body }) => body.id),
      (ids) => ids.includes(id),
    )
    expect(first.received).toEqual([])
    expect(await show(device)).toMatchObject({ connected: true })
  })
})

describe('CONNECT', () => {
  it('takes a server token, and the key as user name alone', async () => {
    const device = await register()
    const byServer = await connectClient(tcpUrl, { clientId: idOf(device), key: token })
    await byServer.endAsync()
    const raw = await connectRaw(port)
    raw.send({ cmd: 'connect', clientId: idOf(device), clean: true, keepalive: 0, username: clientKey })
    expect(
      await until(
        () => raw.find('connack'),
        (packet) => packet !== undefined,
      ),
    ).toMatchObject({ returnCode: 0, sessionPresent: false })
  })

  it('tells a version 5 client what is offered', async () => {
    const raw = await rawConnect(await register(), { version: 5 })
    expect(raw.find('connack')?.properties).toMatchObject({ maximumQoS: 1, retainAvailable: false })
    expect(raw.find('connack')?.properties?.maximumPacketSize).toBeGreaterThan(100_000)
  })

  it('refuses other versions of the protocol with their code', async () => {
    for (const [name, version] of [
      ['MQTT', 6],
      ['MQIsdp', 3],
    ] as const) {
      const raw = await connectRaw(port)
      const rest = Buffer.from([version, 2, 0, 30, 0, 1, 0x61])
      const head = Buffer.concat([Buffer.from([0, name.length]), Buffer.from(name), rest])
      raw.socket.write(Buffer.concat([Buffer.from([0x10, head.length]), head]))
      await until(
        () => raw.isClosed,
        (isClosed) => isClosed,
      )
      expect(raw.find('connack')).toMatchObject({ returnCode: 1 })
    }
  })

  it('is a visit, and brings an uninstalled installation back', async () => {
    const device = await register()
    const before = await show(device)
    await call('DELETE', `/api/installations/${device.id}`)
    expect(await show(device)).toMatchObject({ uninstalled: true })
    const client = await connect(device)
    const after = await show(device)
    expect(after).toMatchObject({ uninstalled: false, launchCount: before.launchCount + 1 })
    expect(after.launchTime).toBeGreaterThan(before.launchTime)
    await client.endAsync()
  })

  it('says whether there is a session, which is the service’s and not the socket’s', async () => {
    const device = await register()
    const present = async (clean: boolean) => {
      const raw = await rawConnect(device, { clean })
      raw.send({ cmd: 'disconnect' })
      await until(
        () => raw.isClosed,
        (isClosed) => isClosed,
      )
      return raw.find('connack')?.sessionPresent
    }
    expect(await present(false)).toBe(false)
    expect(await present(false)).toBe(true)
    expect(await present(true)).toBe(false)
  })

  it.runIf(isThorough)('has to come, and a client that promised to speak has to', async () => {
    const hasty = await openConnectionServer(await createTestStore(), { PEYK_TEST_DURATIONS: '{"connectMs":1000}' })
    const openedAt = performance.now()
    const silent = await connectRaw(hasty.port)
    const device = await register()
    const heardAt = performance.now()
    const mute = await rawConnect(device, { keepalive: 2 })
    expect(mute.find('connack')?.returnCode).toBe(0)
    const { keepalive, pinging } = { keepalive: 2_000, pinging: await rawConnect(await register(), { keepalive: 2 }) }
    const pings = setInterval(() => pinging.send({ cmd: 'pingreq' }), 500)
    await until(
      () => mute.isClosed,
      (isClosed) => isClosed,
    )
    expect(performance.now() - heardAt).toBeGreaterThanOrEqual(keepalive * 1.5)
    await until(
      () => show(device),
      ({ connected }) => !connected,
    )
    await until(
      () => silent.isClosed,
      (isClosed) => isClosed,
    )
    expect(performance.now() - openedAt).toBeGreaterThanOrEqual(1_000)
    clearInterval(pings)
    expect(pinging.isClosed).toBe(false)
    expect(pinging.packets.filter(({ cmd }) => cmd === 'pingresp').length).toBeGreaterThan(1)
  })
})

describe('presence', () => {
  const stored = async (device: Device) => {
    const [row] = await store.query<{ is_open: boolean }>(sql`
      select c.is_open from connections c join installations i using (app_id, installation_no)
      where i.app_id = ${ctx.app.id} and i.id = ${device.id}`)
    return row
  }

  it('lasts as long as the connection, and says whether the app is open', async () => {
    const device = await register()
    const answered = async () => {
      const [own] = (await call('GET', `/api/installations/fetchByUserId/${device.userId}`)).body
      expect(own).toMatchObject({ id: device.id })
      return { connected: own.connected, isOpen: own.isOpen }
    }
    expect(await answered()).toEqual({ connected: false, isOpen: false })
    const client = await connect(device)
    expect(await show(device)).toMatchObject({ connected: true, isOpen: true })
    expect(await answered()).toEqual({ connected: true, isOpen: true })
    expect(await stored(device)).toEqual({ is_open: true })
    await client.publishAsync(topic(`state/${device.id}`), 'background', { qos: 1 })
    expect(await stored(device)).toEqual({ is_open: false })
    expect(await answered()).toEqual({ connected: true, isOpen: false })
    await client.publishAsync(topic(`state/${device.id}`), 'foreground', { qos: 1 })
    expect(await stored(device)).toEqual({ is_open: true })
    expect(await answered()).toEqual({ connected: true, isOpen: true })
    await client.endAsync()
    await until(
      () => show(device),
      ({ connected }) => !connected,
    )
    expect(await stored(device)).toBeUndefined()
  })
})

describe('SUBSCRIBE', () => {
  it('takes the allowed topics, refuses all others, and the channels are the subscriptions of REST', async () => {
    const device = await register()
    const other = await register()
    const raw = await rawConnect(device)
    const asked: [string, number][] = [
      [`user/${device.userId}/default`, 1],
      [`user/${device.userId}/${device.id}`, 1],
      [`user/${device.userId}/alarms`, 1],
      ['user/public/news', 1],
      ['user/public/news/sport', 1],
      [`event/typing/${device.id}`, 0],
      ['event/typing/+', 0],
      [`user/${other.userId}/default`, 0x80],
      [`event/typing/${other.id}`, 0x80],
      ['event/+/+', 0x80],
      ['user/public/#', 0x80],
      ['user/public/+', 0x80],
      [`user/${device.userId}/#`, 0x80],
      ['#', 0x80],
      [`track/x/${device.id}`, 0x80],
      ['user/public/', 0x80],
    ]
    raw.send({
      cmd: 'subscribe',
      messageId: 9,
      subscriptions: [
        ...asked.map(([rest]) => ({ topic: topic(rest), qos: 2 as const })),
        { topic: '#', qos: 1 },
        { topic: `app/other/user/public/x`, qos: 1 },
        { topic: `$share/a/${topic('user/public/news')}`, qos: 1 },
      ],
    })
    const suback = await until(
      () => raw.find('suback'),
      (packet) => packet !== undefined,
    )
    expect(suback?.granted).toEqual([...asked.map(([, code]) => code), 0x80, 0x80, 0x80])
    expect((await show(device)).subscriptions).toEqual(['default', 'alarms', 'public/news', 'public/news/sport'])
    raw.send({ cmd: 'unsubscribe', messageId: 10, unsubscriptions: [topic('user/public/news')] })
    await until(
      () => raw.find('unsuback'),
      (packet) => packet !== undefined,
    )
    expect((await show(device)).subscriptions).toEqual(['default', 'alarms', 'public/news/sport'])
  })

  it('refuses with version 5’s own code, and grants at most QoS 1', async () => {
    const device = await register()
    const client = await connect(device, { protocolVersion: 5 })
    const raw = await rawConnect(await register(), { version: 5 })
    raw.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: '#', qos: 1 }] })
    const suback = await until(
      () => raw.find('suback'),
      (packet) => packet !== undefined,
    )
    expect(suback?.granted).toEqual([0x87])
    const [granted] = await client.subscribeAsync(topic('user/public/x'), { qos: 2 })
    expect(granted?.qos).toBe(1)
  })

  it('need not be said again after a reconnect', async () => {
    const device = await register()
    const sender = await connect(await register())
    const client = await connect(device)
    await client.subscribeAsync([topic('user/public/news'), topic('event/typing/+')])
    await client.endAsync()
    const again = await connect(device)
    await leaveMessage(ctx, device.id, { channel: 'public/news' })
    const from = (sender.options.clientId as string).split('/')[2]
    await sender.publishAsync(topic(`event/typing/${from}`), '{"at":1}', { qos: 1 })
    await until(
      () => again.received.map((each) => each.topic).sort(),
      (topics) => topics.length === 2,
    )
    // Who published it is seen under an alias.
    expect(again.received.map((each) => each.topic.replace(/[0-9a-f]{32}$/, 'alias')).sort()).toEqual([
      topic('event/typing/alias'),
      topic('user/public/news'),
    ])
  })
})

describe('a message to a device', () => {
  it('comes on its channel’s topic, with everything that the protocol names', async () => {
    const device = await register()
    const client = await connect(device)
    const body = { content: 'Hi {{ userId }}', alertText: 'Look', data: { a: 1 } }
    await leaveMessage(ctx, device.id, { body, channel: 'private/alarms' })
    await leaveMessage(ctx, device.id, { body: { content: 'quiet', silent: true } })
    await leaveMessage(ctx, device.id, { body: { content: 'inside', inApp: true }, channel: 'public/news' })
    await until(
      () => client.received.length,
      (count) => count === 3,
    )
    expect(client.received.map((each) => each.topic)).toEqual([
      topic(`user/${device.userId}/alarms`),
      topic(`user/${device.userId}/default`),
      topic('user/public/news'),
    ])
    const [first, silent, inApp] = client.received.map((each) => each.body)
    expect(first).toMatchObject({
      content: `Hi ${device.userId}`,
      data: { a: 1 },
      silent: false,
      createdAt: expect.any(Number),
      expireAt: expect.any(Number),
      notification: { title: 'Test app', body: 'Look' },
    })
    expect(silent).toMatchObject({ silent: true })
    expect(silent).not.toHaveProperty('notification')
    expect(inApp).toMatchObject({ inApp: true })
    expect(inApp).not.toHaveProperty('notification')
  })

  it('waits while the client is away, and comes oldest first; expired and cancelled ones never come', async () => {
    const device = await register()
    const now = Date.now()
    const at = (seconds: number) => new Date(now + seconds * 1000)
    const third = await leaveMessage(ctx, device.id, { at: at(-10) })
    const first = await leaveMessage(ctx, device.id, { at: at(-30) })
    await leaveMessage(ctx, device.id, { at: at(-25), ttlSeconds: 5 })
    const cancelled = await leaveMessage(ctx, device.id, { at: at(-24) })
    await store.query(sql`update messages set cancelled_at = now() where app_id = ${ctx.app.id} and id = ${cancelled}`)
    const second = await leaveMessage(ctx, device.id, { at: at(-20) })
    const client = await connect(device, { protocolVersion: 5 })
    const last = await leaveMessage(ctx, device.id, { ttlSeconds: 100 })
    await until(
      () => client.received.length,
      (count) => count === 4,
    )
    expect(client.received.map(({ body }) => body.id)).toEqual([first, second, third, last])
    expect(client.received.every(({ dup }) => !dup)).toBe(true)
    const [, , , { packet }] = client.received as [unknown, unknown, unknown, { packet: IPublishPacket }]
    const { messageExpiryInterval } = packet.properties ?? {}
    expect(messageExpiryInterval).toBeGreaterThan(50)
    expect(messageExpiryInterval).toBeLessThanOrEqual(100)
  })

  it('is in flight in a bounded window, and comes again with DUP when it was not acknowledged', async () => {
    const device = await register()
    const ids: string[] = []
    for (let count = 0; count < 80; count++) ids.push(await leaveMessage(ctx, device.id))
    const raw = await rawConnect(device)
    const publishes = () => raw.packets.filter((packet) => packet.cmd === 'publish')
    await until(publishes, (packets) => packets.length >= 32)
    raw.send({ cmd: 'pingreq' })
    await until(
      () => raw.find('pingresp'),
      (packet) => packet !== undefined,
    )
    expect(publishes().length).toBe(32)
    expect(publishes().every(({ dup }) => !dup)).toBe(true)
    raw.send({ cmd: 'puback', messageId: publishes()[0]?.messageId as number })
    await until(
      () => readDelivery(ctx, ids[0] as string),
      (row) => row?.state === 'delivered',
    )
    raw.socket.destroy()
    await until(
      () => show(device),
      ({ connected }) => !connected,
    )
    const client = await connect(device)
    await until(
      () => client.received.length,
      (count) => count === 79,
    )
    expect(client.received.map(({ body }) => body.id)).toEqual(ids.slice(1))
    expect(client.received.slice(0, 31).every(({ dup }) => dup)).toBe(true)
    // The acknowledgement made room for one more, which may have been sent before the line was cut.
    expect(client.received.slice(32).some(({ dup }) => dup)).toBe(false)
    await until(
      () => Promise.all(ids.map((id) => readDelivery(ctx, id))),
      (rows) => rows.every((row) => row?.state === 'delivered' && !row.in_inbox),
    )
  })

  it('respects how much a version 5 client takes', async () => {
    const device = await register()
    for (let count = 0; count < 6; count++) await leaveMessage(ctx, device.id)
    const raw = await rawConnect(device, { version: 5, properties: { receiveMaximum: 4, maximumPacketSize: 2_000 } })
    const publishes = () => raw.packets.filter((packet) => packet.cmd === 'publish')
    await until(publishes, (packets) => packets.length >= 4)
    await leaveMessage(ctx, device.id, { body: { content: 'x'.repeat(5_000) } })
    const small = await leaveMessage(ctx, device.id)
    let acknowledged = 0
    await until(
      () => {
        const all = publishes()
        expect(all.length - acknowledged).toBeLessThanOrEqual(4)
        for (const { messageId } of all.slice(acknowledged)) raw.send({ cmd: 'puback', messageId: messageId as number })
        acknowledged = all.length
        return all.map(({ payload }) => JSON.parse(payload.toString()).id)
      },
      (ids) => ids.includes(small),
    )
    expect(publishes()).toHaveLength(7)
  })

  it('that a version 5 client does not take ends as refused, and does not come again', async () => {
    const device = await register()
    const [refused, taken] = [await leaveMessage(ctx, device.id), await leaveMessage(ctx, device.id)]
    const raw = await rawConnect(device, { version: 5 })
    const publishes = () => raw.packets.filter((packet) => packet.cmd === 'publish')
    const [first, second] = await until(publishes, (packets) => packets.length === 2)
    raw.send({ cmd: 'puback', messageId: first?.messageId as number, reasonCode: 0x83 })
    raw.send({ cmd: 'puback', messageId: second?.messageId as number, reasonCode: 0x10 })
    await until(
      () => readDelivery(ctx, refused),
      (row) => row?.state !== 'queued' && !row?.in_inbox,
    )
    expect(await readDelivery(ctx, refused)).toMatchObject({ state: 'ended', reason: 'refused' })
    await until(
      () => readDelivery(ctx, taken),
      (row) => row?.state === 'delivered' && !row.in_inbox,
    )
    expect(publishes()).toHaveLength(2)
  })

  it('that is live comes with QoS 0 to who is connected, and is never kept', async () => {
    const device = await register()
    const body = { content: 'now', live: true }
    const early = await leaveMessage(ctx, device.id, { body, at: new Date(Date.now() - 5_000) })
    const client = await connect(device)
    const live = await leaveMessage(ctx, device.id, { body })
    await until(
      () => readDelivery(ctx, live),
      (row) => row?.state === 'sent' && !row.in_inbox,
    )
    await until(
      () => client.received.length,
      (count) => count === 1,
    )
    expect(client.received[0]).toMatchObject({ qos: 0, body: { id: live } })
    await until(
      () => readDelivery(ctx, early),
      (row) => row?.reason === 'expired' && !row.in_inbox,
    )
  })

  it('that is live and was sent does not end as expired when that could not be noted at first', async () => {
    const device = await register()
    const client = await connect(device)
    const allow = () => store.query(sql`alter table deliveries drop constraint if exists no_sent`)
    onTestFinished(async () => void (await allow()))
    await store.query(sql`alter table deliveries add constraint no_sent check (state <> 'sent') not valid`)
    const id = await leaveMessage(ctx, device.id, { body: { content: 'now', live: true } })
    await until(
      () => client.received.length,
      (count) => count === 1,
    )
    await client.endAsync()
    await until(
      () => show(device),
      ({ connected }) => !connected,
    )
    expect(await readDelivery(ctx, id)).toMatchObject({ state: 'queued', in_inbox: true })
    await allow()
    await until(
      () => readDelivery(ctx, id),
      (row) => row?.state !== 'queued',
    )
    expect(await readDelivery(ctx, id)).toMatchObject({ state: 'sent', in_inbox: false })
  })

  it('that is live ends as expired when its client has left or is in the background', async () => {
    const [left, away] = [await register(), await register()]
    const [leaving, hiding] = [await connect(left), await connect(away)]
    await hiding.publishAsync(`app/${ctx.app.label}/state/${away.id}`, 'background', { qos: 1 })
    await leaving.endAsync()
    const body = { content: 'now', live: true }
    const ids = [await leaveMessage(ctx, left.id, { body }), await leaveMessage(ctx, away.id, { body })]
    const kept = await leaveMessage(ctx, left.id)
    for (const id of ids) {
      await until(
        () => readDelivery(ctx, id),
        (row) => row?.state === 'ended' && row.reason === 'expired' && !row.in_inbox,
      )
    }
    expect(await readDelivery(ctx, kept)).toMatchObject({ state: 'queued', in_inbox: true })
    expect(hiding.received).toEqual([])
  })

  it('that is live and larger than its client takes ends at once', async () => {
    const device = await register()
    const raw = await rawConnect(device, { version: 5, properties: { maximumPacketSize: 300 } })
    const id = await leaveMessage(ctx, device.id, { body: { content: 'x'.repeat(400), live: true } })
    await until(
      () => readDelivery(ctx, id),
      (row) => row?.reason === 'expired' && !row.in_inbox,
    )
    expect(raw.find('publish')).toBeUndefined()
  })

  it('for the open app waits while the client is in the background', async () => {
    const device = await register()
    const client = await connect(device)
    await client.publishAsync(topic(`state/${device.id}`), 'background', { qos: 1 })
    const inApp = await leaveMessage(ctx, device.id, { body: { content: 'inside', inApp: true } })
    const plain = await leaveMessage(ctx, device.id)
    await until(
      () => client.received.length,
      (count) => count === 1,
    )
    await client.publishAsync(topic(`state/${device.id}`), '"foreground"', { qos: 1 })
    await until(
      () => client.received.length,
      (count) => count === 2,
    )
    expect(client.received.map(({ body }) => body.id)).toEqual([plain, inApp])
  })

  it('is not given to a client whose installation is somebody else’s by now', async () => {
    const device = await register()
    const client = await connect(device)
    await call('PUT', `/api/installations/${device.id}`, { userId: 'somebody-else', isGuest: false })
    await leaveMessage(ctx, device.id)
    await until(
      () => client.connected,
      (isConnected) => !isConnected,
    )
    expect(client.received).toEqual([])
  })
})

describe('what a client publishes', () => {
  const events = (device: Device) =>
    store.query<{ name: string; data: unknown }>(sql`
      select e.name, e.data from events e join installations i using (app_id, installation_no)
      where i.app_id = ${ctx.app.id} and i.id = ${device.id} order by e.id`)

  it('to track is an event, acknowledged after it is committed and stored once', async () => {
    const device = await register()
    const client = await connect(device)
    const body = JSON.stringify({ id: 'e1', createdAt: Date.now(), data: { color: 'red' } })
    await client.publishAsync(topic(`track/AddToCart/${device.id}`), body, { qos: 1 })
    expect(await events(device)).toEqual([{ name: 'AddToCart', data: { color: 'red' } }])
    await client.publishAsync(topic(`track/AddToCart/${device.id}`), body, { qos: 1 })
    await client.publishAsync(topic(`track/Left/${device.id}`), '{"id":"e2","data":[]}', { qos: 0 })
    await until(
      () => events(device),
      (rows) => rows.length === 2,
    )
  })

  it('to track that cannot be read is answered, and nothing is stored', async () => {
    const device = await register()
    const raw = await rawConnect(device, { version: 5 })
    const bad = [
      'no json',
      '[]',
      '7',
      '{"data":{"a":"\\u0000"}}',
      '{"data":{"a":"\\ud800"}}',
      Buffer.from([0xff, 0xfe]),
    ]
    for (const [index, payload] of bad.entries()) {
      const packet = { cmd: 'publish', qos: 1, dup: false, retain: false, messageId: index + 1 } as const
      raw.send({ ...packet, topic: topic(`track/x/${device.id}`), payload })
    }
    const answers = await until(
      () => raw.packets.filter(({ cmd }) => cmd === 'puback'),
      (packets) => packets.length === bad.length,
    )
    expect(answers.map((packet) => (packet as { reasonCode?: number }).reasonCode)).toEqual(bad.map(() => 0x99))
    expect(answers.map(({ messageId }) => messageId)).toEqual(bad.map((_, index) => index + 1))
    expect(await events(device)).toEqual([])
  })

  it('as an event is passed on to who listens, whichever way they are connected, and not stored', async () => {
    const [device, one, all, none] = await Promise.all([register(), register(), register(), register()])
    const sender = await connect(device as Device)
    const own = await connect(one as Device)
    const everybody = await connect(all as Device, { url: `${wsUrl}/mqtt`, protocolVersion: 5 })
    const nobody = await connect(none as Device)
    await own.subscribeAsync(topic(`event/typing/${one?.id}`))
    await everybody.subscribeAsync(topic('event/typing/+'))
    await sender.publishAsync(topic(`event/typing/${device?.id}`), '{"n":1}', { qos: 1 })
    await own.publishAsync(topic(`event/typing/${one?.id}`), '{"n":2}', { qos: 1 })
    await until(
      () => everybody.received.length,
      (count) => count === 2,
    )
    expect(everybody.received.map(({ body }) => body)).toEqual([{ n: 1 }, { n: 2 }])
    expect(own.received.map(({ body }) => body)).toEqual([{ n: 2 }])
    expect([...sender.received, ...nobody.received]).toEqual([])
    expect(await events(device as Device)).toEqual([])
    await everybody.unsubscribeAsync(topic('event/typing/+'))
    await sender.publishAsync(topic(`event/typing/${device?.id}`), '{"n":3}', { qos: 1 })
    expect(everybody.received).toHaveLength(2)
  })

  it('as a message to another user is refused unless the app allows it', async () => {
    const [device, receiver] = await Promise.all([register(), register()])
    const old = await connect(device as Device)
    const to = topic(`publish/${receiver?.userId}/default`)
    const body = JSON.stringify({ content: 'hi', id: 'm1', channel: 'default', user: receiver?.userId, createdAt: 1 })
    const sent = () =>
      store.query<{ channel: string; body: object }>(sql`
        select m.channel, m.body from messages m join message_users u on u.app_id = m.app_id and u.message_id = m.id
        where m.app_id = ${ctx.app.id} and u.user_id = ${receiver?.userId} order by m.id`)
    await old.publishAsync(to, body, { qos: 1 })
    await old.endAsync()
    const client = await connect(device as Device, { protocolVersion: 5 })
    await expect(client.publishAsync(to, body, { qos: 1 })).rejects.toMatchObject({ code: 0x87 })
    expect(await sent()).toEqual([])

    expect((await call('PUT', '/api/app', { allowUserMessages: true })).body).toMatchObject({ allowUserMessages: true })
    await client.publishAsync(to, body, { qos: 1 })
    await client.publishAsync(to, body, { qos: 1 })
    await client.publishAsync(topic(`publish/${receiver?.userId}/chat`), '{"content":"psst"}', { qos: 1 })
    const data = { senderId: device?.userId }
    expect(await sent()).toEqual([
      { channel: 'default', body: { content: 'hi', data } },
      { channel: 'private/chat', body: { content: 'psst', data } },
    ])
    const toEverybody = ['publish/public/news', 'publish/public/default', 'publish/*/default']
    for (const rest of toEverybody) {
      await expect(client.publishAsync(topic(rest), '{"content":"all"}', { qos: 1 })).rejects.toMatchObject({
        code: 0x87,
      })
    }
    const onlyPublic = { allowUserMessages: false, allowPublicUserMessages: true }
    expect((await call('PUT', '/api/app', onlyPublic)).body).toMatchObject(onlyPublic)
    await expect(
      client.publishAsync(topic('publish/public/news'), '{"content":"all"}', { qos: 1 }),
    ).rejects.toMatchObject({ code: 0x87 })
    await call('PUT', '/api/app', { allowUserMessages: true })
    await client.publishAsync(topic('publish/public/news'), '{"content":"all"}', { qos: 1 })
    for (const bad of ['{"content":""}', '{}', '{"content":"{{ promoCode }}"}', 'no']) {
      await expect(client.publishAsync(to, bad, { qos: 1 }), bad).rejects.toMatchObject({ code: 0x99 })
    }
    const rows = await store.query(sql`
      select audience, channel from messages where app_id = ${ctx.app.id} and audience = 'public'`)
    expect(rows).toEqual([{ audience: 'public', channel: 'public/news' }])
    await call('PUT', '/api/app', { allowUserMessages: false, allowPublicUserMessages: false })
  })

  it('as a message comes to the other user with the name of who sent it, whatever it says itself', async () => {
    await call('PUT', '/api/app', { allowUserMessages: true })
    onTestFinished(async () => void (await call('PUT', '/api/app', { allowUserMessages: false })))
    const [device, receiver] = [await register(), await register()]
    const sender = await connect(device, { protocolVersion: 5 })
    const forged = { content: 'it is me', id: 'f1', senderId: 'boss', user: 'boss', data: { senderId: 'boss' } }
    const to = topic(`publish/${receiver.userId}/default`)
    await sender.publishAsync(to, JSON.stringify(forged), { qos: 1 })
    const [message] = (await call('GET', `/api/messages?user=${receiver.userId}`)).body.data
    expect(message).toMatchObject({ content: 'it is me', data: { senderId: device.userId } })
  })

  it('as a message is refused from a guest, and from who is logged in as somebody else by now', async () => {
    await call('PUT', '/api/app', { allowUserMessages: true })
    onTestFinished(async () => void (await call('PUT', '/api/app', { allowUserMessages: false })))
    const receiver = await register()
    const to = topic(`publish/${receiver.userId}/default`)
    const guest = await registerDevice(service.callAsClient)
    const stranger = await connect(guest, { protocolVersion: 5 })
    await expect(stranger.publishAsync(to, '{"content":"hi"}', { qos: 1 })).rejects.toMatchObject({ code: 0x87 })
    const device = await register()
    const client = await connect(device, { protocolVersion: 5 })
    await client.publishAsync(to, '{"content":"first"}', { qos: 1 })
    await call('PUT', `/api/installations/${device.id}`, { userId: `next-of-${device.userId}`, isGuest: false })
    await expect(client.publishAsync(to, '{"content":"second"}', { qos: 1 })).rejects.toMatchObject({ code: 0x87 })
    const { data } = (await call('GET', `/api/messages?user=${receiver.userId}`)).body
    expect(data.map(({ content }: { content: string }) => content)).toEqual(['first'])
  })

  it('anywhere else closes the connection', async () => {
    const other = await register()
    for (const rest of [
      'user/public/news',
      `track/x/${other.id}`,
      `event/x/${other.id}`,
      `state/${other.id}`,
      'publish/somebody',
      'nowhere/at/all',
      `constructor/x/${other.id}`,
    ]) {
      const device = await register()
      const raw = await rawConnect(device, { version: 5 })
      raw.send({ cmd: 'publish', qos: 0, dup: false, retain: false, topic: topic(rest), payload: 'x' })
      await until(
        () => raw.isClosed,
        (isClosed) => isClosed,
      )
      expect(raw.find('disconnect'), rest).toMatchObject({ reasonCode: 0x90 })
    }
  })

  it('with QoS 2 closes it too', async () => {
    const device = await register()
    const raw = await rawConnect(device, { version: 5 })
    const packet = { cmd: 'publish', qos: 2, dup: false, retain: false, messageId: 1, payload: '{}' } as const
    raw.send({ ...packet, topic: topic(`track/x/${device.id}`) })
    await until(
      () => raw.isClosed,
      (isClosed) => isClosed,
    )
    expect(raw.find('disconnect')).toMatchObject({ reasonCode: 0x9b })
  })
})

describe('a revoked key', () => {
  it('ends the connections that were opened with it', async () => {
    const key = await createTestToken(ctx, ['client'])
    const client = await connectClient(tcpUrl, { clientId: idOf(await register()), key })
    await store.query(sql`
      update access_tokens set revoked_at = now() where hash = sha256(${key}::bytea) and app_id = ${ctx.app.id}`)
    await poll(() => client.connected).toBe(false)
  })
})

describe('the origin of a page', () => {
  it('that the key does not list is refused', async () => {
    const key = await createTestToken(ctx, ['client'], ['https://shop.example'])
    const device = await register()
    const from = (origin: string, path: string) =>
      connectClient(`${wsUrl}${path}`, { clientId: idOf(device), key, wsOptions: { origin } })
    const good = await from('https://shop.example', '/mqtt')
    await good.endAsync()
    await expect(from('https://evil.example', '/mqtt')).rejects.toMatchObject({ code: 5 })
    expect(await upgradeStatus(`${wsUrl}/mqtt?access_token=${key}`, 'https://evil.example')).toBe(403)
    expect(await upgradeStatus(`${wsUrl}/mqtt?access_token=${key}`, 'https://shop.example')).toBe(101)
  })

  it('that no key lists is refused before it is connected', async () => {
    const strict = await createConnectionServerForTest()
    await strict.store.query(
      sql`update access_tokens set origins = '{https://shop.example}' where 'client' = any (scopes)`,
    )
    expect(await upgradeStatus(`${strict.wsUrl}/mqtt`, 'https://evil.example')).toBe(403)
    expect(await upgradeStatus(`${strict.wsUrl}/`, 'https://shop.example')).toBe(101)
  })
})

it('mosquitto_sub connects, subscribes and receives', async ({ skip }) => {
  const mosquitto = findProgram('mosquitto_sub')
  if (mosquitto === undefined) return skip(noMosquitto)
  for (const version of ['mqttv311', 'mqttv5']) {
    const device = await register()
    const id = await leaveMessage(ctx, device.id)
    const { stdout } = await promisify(execFile)(mosquitto, [
      ...['-h', '127.0.0.1', '-p', String(port), '-V', version, '-i', idOf(device), '-u', clientKey, '-P', clientKey],
      ...['-c', '-q', '1', '-t', topic(`user/${device.userId}/default`), '-C', '1', '-W', '20'],
    ])
    expect(JSON.parse(stdout)).toMatchObject({ id, content: 'hello' })
    await until(
      () => readDelivery(ctx, id),
      (row) => row?.state === 'delivered',
    )
  }
})
