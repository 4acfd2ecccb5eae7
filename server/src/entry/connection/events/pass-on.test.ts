import {
  clientIdOf,
  connectClient,
  connectRaw,
  createConnectionServerForTest,
  holdPool,
  leaveMessage,
  openConnectionServer,
} from '@peyk/test/connection.ts'
import { type Device, registerDevice } from '@peyk/test/devices.ts'
import { isThorough } from '@peyk/test/runner/effort.ts'
import { until } from '@peyk/test/runner/until.ts'
import { useTestNats } from '@peyk/test/service/test-nats.ts'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { busOf } from '#base/bus/bus.ts'
import { limits } from '#base/config.ts'
import { openStore } from '#base/store/store.ts'

const service = await createConnectionServerForTest({
  PEYK_RATE_CLIENT: '1000000',
  PEYK_TEST_DURATIONS: '{"holdEveryMs":200}',
})
const { ctx, store, tcpUrl, port, http, clientKey, register, call, callAsClient } = service
const topic = (rest: string) => `app/${ctx.app.label}/${rest}`
const connect = (device: Device, protocolVersion: 4 | 5 = 4) =>
  connectClient(tcpUrl, { clientId: clientIdOf(ctx, device), key: clientKey, protocolVersion })
const senderIn = (received: { topic: string }) => received.topic.split('/').at(-1) as string

async function connectRawly(device: Device) {
  const raw = await connectRaw(port)
  raw.send({ cmd: 'connect', clientId: clientIdOf(ctx, device), clean: true, keepalive: 0, username: clientKey })
  await until(
    () => raw.find('connack'),
    (packet) => packet !== undefined,
  )
  return raw
}

describe('who published an event', () => {
  it('is seen by others under a name with which nobody can act', async () => {
    await call('PUT', '/api/app', { identityVerification: true })
    onTestFinished(async () => void (await call('PUT', '/api/app', { identityVerification: false })))
    const victim = await registerDevice(call, { userId: 'victim' })
    const guest = await registerDevice(callAsClient)
    const spy = await connect(guest)
    await spy.subscribeAsync(topic('event/typing/+'))
    const typing = await connect(victim)
    const from = [victim.id, victim.id.toUpperCase()]
    await typing.publishAsync(topic(`event/typing/${victim.id}`), JSON.stringify({ from, text: 'سلام' }), { qos: 1 })
    const [seen] = await until(
      () => spy.received,
      (all) => all.length === 1,
    )
    const alias = senderIn(seen as { topic: string })
    expect(alias).not.toBe(victim.id)
    expect(seen?.body).toEqual({ from: [alias, alias], text: 'سلام' })
    expect((await callAsClient('GET', `/api/installations/${alias}`)).status).toBe(404)
    expect((await callAsClient('PUT', `/api/installations/${alias}`, { language: 'en' })).status).toBe(404)
    const filter = encodeURIComponent(JSON.stringify({ where: { id: { inq: [alias] } } }))
    expect((await callAsClient('GET', `/api/installations?filter=${filter}`)).body).not.toMatchObject([{}])
    await expect(
      connectClient(tcpUrl, { clientId: clientIdOf(ctx, { ...victim, id: alias }), key: clientKey }),
    ).rejects.toMatchObject({ code: 2 })
    expect(typing.connected).toBe(true)
  })

  it('can be told from others, always by the same name, and is known by id only to itself', async () => {
    const [first, second] = [await register(), await register()]
    const listener = await connect(await register())
    await listener.subscribeAsync(topic('event/moved/+'))
    const [one, two] = [await connect(first, 5), await connect(second)]
    await one.subscribeAsync(topic('event/moved/+'))
    await one.publishAsync(topic(`event/moved/${first.id}`), '{"n":1}', { qos: 1 })
    await two.publishAsync(topic(`event/moved/${second.id}`), '{"n":2}', { qos: 1 })
    await one.publishAsync(topic(`event/moved/${first.id.toUpperCase()}`), '{"n":3}', { qos: 1 })
    await until(
      () => [listener.received.length, one.received.length],
      ([all, own]) => all === 3 && own === 3,
    )
    const [a, b, c] = listener.received.map(senderIn)
    expect(a).toBe(c)
    expect(a).not.toBe(b)
    expect([first.id, second.id]).not.toContain(a)
    expect([first.id, second.id]).not.toContain(b)
    expect(one.received.map(senderIn)).toEqual([first.id, b, first.id])
  })

  it('may be named by the alias, and by the own id: both lead to the same events', async () => {
    const [device, listening] = [await register(), await register()]
    const listener = await connect(listening)
    await listener.subscribeAsync([topic('event/drew/+')])
    const sender = await connect(device)
    const publish = (n: number) => sender.publishAsync(topic(`event/drew/${device.id}`), `{"n":${n}}`, { qos: 1 })
    await publish(1)
    await until(
      () => listener.received.length,
      (count) => count === 1,
    )
    const alias = senderIn(listener.received[0] as { topic: string })
    await listener.unsubscribeAsync(topic('event/drew/+'))
    const granted = await listener.subscribeAsync([topic(`event/drew/${alias}`), topic(`event/drew/${'0'.repeat(32)}`)])
    expect(granted.map(({ qos }) => qos)).toEqual([0, 0])
    await sender.subscribeAsync([topic(`event/drew/${device.id}`), topic(`event/drew/${alias}`)])
    await publish(2)
    await sender.unsubscribeAsync(topic(`event/drew/${alias}`))
    await publish(3)
    await sender.unsubscribeAsync(topic(`event/drew/${device.id}`))
    await publish(4)
    await until(
      () => listener.received.map(({ body }) => body.n),
      (all) => all.includes(4),
    )
    expect(listener.received.map(senderIn)).toEqual([alias, alias, alias, alias])
    expect(sender.received.map((event) => [event.body.n, senderIn(event)])).toEqual([
      [2, alias],
      [3, device.id],
    ])
  })
})

describe('an event that is passed on', () => {
  it('may have 8 KiB; a larger one is answered and goes nowhere', async () => {
    const [device, listening] = [await register(), await register()]
    const listener = await connect(listening)
    await listener.subscribeAsync(topic('event/large/+'))
    const to = topic(`event/large/${device.id}`)
    const whole = Buffer.alloc(limits.passedOnBytes, 'x')
    const tooLarge = Buffer.alloc(limits.passedOnBytes + 1, 'y')
    expect(limits.passedOnBytes).toBe(8 * 1024)
    const old = await connect(device)
    await old.publishAsync(to, tooLarge, { qos: 1 })
    await old.publishAsync(to, tooLarge, { qos: 0 })
    await old.publishAsync(to, whole, { qos: 1 })
    await old.endAsync()
    const client = await connect(device, 5)
    await expect(client.publishAsync(to, tooLarge, { qos: 1 })).rejects.toMatchObject({ code: 0x97 })
    await client.publishAsync(to, '{"n":1}', { qos: 1 })
    await until(
      () => listener.received.length,
      (count) => count >= 2,
    )
    expect(listener.received.map(({ body }) => body)).toEqual([{ text: whole.toString() }, { n: 1 }])
  })

  it('is dropped for who does not read, and counted; messages and others are not held up by it', async () => {
    const [talking, reading, sleeping] = [await register(), await register(), await register()]
    const slow = await connectRawly(sleeping)
    slow.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: topic('event/flood/+'), qos: 0 }] })
    await until(
      () => slow.find('suback'),
      (packet) => packet !== undefined,
    )
    slow.socket.pause()
    const reader = await connect(reading)
    await reader.subscribeAsync(topic('event/flood/+'))
    const sender = await connect(talking)
    const payload = Buffer.alloc(limits.passedOnBytes, 'x')
    let sent = 0
    await until(
      async () => {
        for (const _ of Array(50)) {
          sent++
          await sender.publishAsync(topic(`event/flood/${talking.id}`), payload, { qos: 1 })
        }
        return readDropped()
      },
      (dropped) => dropped > 0,
    )
    await until(
      () => reader.received.length,
      (count) => count === sent,
    )
    const id = await leaveMessage(ctx, sleeping.id)
    expect(slow.isClosed).toBe(false)
    slow.socket.resume()
    await until(
      () => slow.packets.some((packet) => packet.cmd === 'publish' && packet.payload.includes(id)),
      (isThere) => isThere,
    )
    expect(slow.packets.filter(({ cmd }) => cmd === 'publish').length).toBeLessThan(sent)
  })

  async function readDropped(): Promise<number> {
    const metric = await http.registry.getSingleMetric('peyk_connection_events_total')?.get()
    return metric?.values.find(({ labels }) => labels.result === 'dropped')?.value ?? 0
  }
})

describe('other processes', () => {
  const otherStore = openStore(store.url, { poolSize: 2 })
  const closeNats = useTestNats(otherStore)
  afterAll(async () => {
    await otherStore.drain()
    await closeNats()
    await otherStore.close()
  })
  const told: unknown[] = []
  busOf(otherStore).on('event', (body) => told.push(body))
  let asked = 0
  const answered: unknown[] = []
  busOf(otherStore).on('asked', (body) => answered.push(body))

  /** What was told before this has come when this has. */
  async function askWhatWasTold(): Promise<number> {
    await until(
      () => busOf(otherStore).isOpen,
      (isOpen) => isOpen,
    )
    const question = ++asked
    await busOf(store).tell('asked', question)
    await until(
      () => answered.includes(question),
      (isThere) => isThere,
    )
    return told.splice(0).length
  }

  it('are told only when there are any, as soon as one joins', async () => {
    const device = await register()
    const sender = await connect(device)
    const publish = () => sender.publishAsync(topic(`event/alone/${device.id}`), '{}', { qos: 1 })
    const publishAndAsk = async () => {
      await publish()
      return askWhatWasTold()
    }
    await until(publishAndAsk, (count) => count === 0)
    const joiner = openStore(store.url, { poolSize: 2 })
    const services = await openConnectionServer(joiner)
    const leave = async () => {
      await services.close()
      await joiner.drain()
      await joiner.close()
    }
    try {
      await until(publishAndAsk, (count) => count === 1)
    } finally {
      await leave()
    }
    await until(publishAndAsk, (count) => count === 0)
  })

  it.runIf(isThorough)('that cannot be told hold up who publishes, and nobody else', async () => {
    const joiner = openStore(store.url, { poolSize: 2 })
    const services = await openConnectionServer(joiner)
    onTestFinished(async () => {
      await services.close()
      await joiner.drain()
      await joiner.close()
    })
    const device = await register()
    const witness = await connectRawly(await register())
    const warm = await connect(device)
    await until(
      async () => {
        await warm.publishAsync(topic(`event/stuck/${device.id}`), '{}', { qos: 1 })
        return askWhatWasTold()
      },
      (count) => count === 1,
    )
    await warm.endAsync()
    const raw = await connectRawly(device)
    const release = await holdPool(store)
    const count = 2_000
    const payload = Buffer.alloc(limits.passedOnBytes, 'x')
    for (let messageId = 1; messageId <= count; messageId++) {
      const to = topic(`event/stuck/${device.id}`)
      raw.send({ cmd: 'publish', qos: 1, dup: false, retain: false, messageId, topic: to, payload })
    }
    // The service reads no further when what it has taken does not go out: the rest stays with the client.
    for (let pings = 1; pings <= 20; pings++) {
      witness.send({ cmd: 'pingreq' })
      await until(
        () => witness.packets.filter(({ cmd }) => cmd === 'pingresp').length,
        (answers) => answers === pings,
      )
    }
    expect(raw.packets.filter(({ cmd }) => cmd === 'puback').length).toBeLessThan(100)
    expect(raw.socket.writableLength).toBeGreaterThan(payload.length)
    release()
    const pubacks = await until(
      () => raw.packets.filter(({ cmd }) => cmd === 'puback'),
      (all) => all.length === count,
    )
    expect(pubacks.map(({ messageId }) => messageId)).toEqual(Array.from({ length: count }, (_, index) => index + 1))
  })
})
