import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'mqtt-packet'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { MqttSession } from '../../sdk/src/mqtt/mqtt-session.ts'
import { clientIdOf, createConnectionServerForTest, leaveMessage, readDelivery } from '../helpers/connection.ts'
import { noMosquitto } from '../helpers/programs/mosquitto.ts'
import { findProgram } from '../helpers/programs/programs.ts'
import { isThorough } from '../helpers/runner/effort.ts'
import { until } from '../helpers/runner/until.ts'
import { freePort } from '../helpers/service/service-process.ts'

/** The library's own MQTT session against a server. */
async function open(url: string, options: { clientId: string; key: string; keepAliveSeconds?: number }) {
  const { clientId, key, keepAliveSeconds = 30 } = options
  const received: { topic: string; text: string }[] = []
  const happened: string[] = []
  const login = { clientId, username: key, password: key, keepAliveSeconds }
  const session = new MqttSession(url, login, {
    onConnected: (isSessionPresent) => happened.push(isSessionPresent ? 'connected again' : 'connected'),
    onMessage: (topic, payload) => void received.push({ topic, text: new TextDecoder().decode(payload) }),
    onClosed: ({ refusal }) => happened.push(refusal === undefined ? 'closed' : `refused ${refusal}`),
  })
  onTestFinished(() => session.close())
  await until(
    () => happened.length,
    (count) => count > 0,
  )
  return { session, received, happened }
}

describe('the library’s session with our own connection', () => {
  it('subscribes, receives, acknowledges and publishes', async () => {
    const { ctx, wsUrl, clientKey, register, call } = await createConnectionServerForTest()
    const device = await register()
    const clientId = clientIdOf(ctx, device)
    const { session, received, happened } = await open(`${wsUrl}/mqtt`, { clientId, key: clientKey })
    const topic = (rest: string) => `app/${ctx.app.label}/${rest}`
    expect(await session.subscribe([topic('user/public/news'), topic('user/public/#')])).toEqual([1, 128])
    const id = await leaveMessage(ctx, device.id, { channel: 'public/news', body: { content: 'سلام' } })
    await until(
      () => readDelivery(ctx, id),
      (row) => row?.state === 'delivered',
    )
    expect(received.map((each) => each.topic)).toEqual([topic('user/public/news')])
    expect(JSON.parse(received[0]?.text ?? '')).toMatchObject({ id, content: 'سلام' })
    await session.publish(topic(`track/Seen/${device.id}`), JSON.stringify({ data: { a: 1 }, id: 'one' }))
    expect((await call('GET', `/api/events?userId=${device.userId}`)).body.data).toMatchObject([{ eventName: 'Seen' }])
    await session.unsubscribe([topic('user/public/news')])
    expect(happened).toEqual(['connected'])
    const again = await open(`${wsUrl}/mqtt`, { clientId, key: clientKey })
    expect(again.happened).toEqual(['connected again'])
    await until(
      () => happened,
      (all) => all.includes('closed'),
    )
    const stranger = await open(`${wsUrl}/mqtt`, { clientId, key: 'f'.repeat(40) })
    expect(stranger.happened).toEqual(['refused 4'])
  })
})

/** Debian's broker, on ports of its own. */
async function startBroker(program: string): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'peyk-mosquitto-'))
  const path = join(folder, 'mosquitto.conf')
  for (;;) {
    const port = await freePort()
    // Some versions do not start with WebSocket alone.
    const plain = [`listener ${await freePort()} 127.0.0.1`]
    const webSocket = [`listener ${port} 127.0.0.1`, 'protocol websockets', 'socket_domain ipv4']
    await writeFile(path, ['allow_anonymous true', 'persistence false', ...plain, ...webSocket, ''].join('\n'))
    const broker = spawn(program, ['-c', path], { stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    broker.stderr.setEncoding('utf8').on('data', (text) => {
      said += text
    })
    const hasEnded = () => broker.exitCode !== null || broker.signalCode !== null
    const stop = async () => {
      broker.kill()
      if (!hasEnded()) await once(broker, 'exit')
      await rm(folder, { recursive: true, force: true })
    }
    await until(
      async () => ({ isOpen: await isOpen(port), hasEnded: hasEnded(), said }),
      (state) => state.isOpen || state.hasEnded,
    )
    if (!hasEnded()) return { url: `ws://127.0.0.1:${port}/mqtt`, stop }
    // Somebody else may have been quicker to take a port.
    expect(said).toMatch(/in use/i)
  }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
}

/** Connects and never says anything again; fulfilled when the broker has had enough of it. */
async function fallSilent(url: string, keepAliveSeconds: number): Promise<void> {
  const socket = new WebSocket(url, 'mqtt')
  socket.on('open', () => socket.send(generate({ cmd: 'connect', clientId: 'silent', keepalive: keepAliveSeconds })))
  const [data] = await once(socket, 'message')
  // [MQTT 3.1.1, 3.2] A CONNACK that lets it in.
  expect([...(data as Buffer)]).toEqual([0x20, 2, 0, 0])
  await once(socket, 'close')
}

describe('the library’s session with mosquitto', () => {
  const program = findProgram('mosquitto')
  let url = ''
  let stop = async () => {}

  beforeAll(async () => {
    if (program !== undefined) ({ url, stop } = await startBroker(program))
  })
  beforeEach(({ skip }) => skip(program === undefined, noMosquitto))
  afterAll(() => stop())

  it('subscribes, publishes, receives what it published, and is remembered', async () => {
    const { session, received, happened } = await open(url, { clientId: 'demo/ali/1', key: 'key' })
    expect(happened).toEqual(['connected'])
    expect(await session.subscribe(['a/b', 'c/+'])).toEqual([1, 1])
    const long = 'x'.repeat(70_000)
    await session.publish('a/b', 'سلام')
    session.tell('c/d', long)
    await until(
      () => received.length,
      (count) => count === 2,
    )
    expect(received).toEqual([
      { topic: 'a/b', text: 'سلام' },
      { topic: 'c/d', text: long },
    ])
    await session.unsubscribe(['c/+'])
    const again = await open(url, { clientId: 'demo/ali/1', key: 'key' })
    expect(again.happened).toEqual(['connected again'])
    await again.session.publish('a/b', 'still subscribed')
    await until(
      () => again.received.map(({ text }) => text),
      (texts) => texts.includes('still subscribed'),
    )
  })

  it.runIf(isThorough)('stays while it pings', async () => {
    const { session, happened } = await open(url, { clientId: 'demo/sara/1', key: 'key', keepAliveSeconds: 6 })
    await fallSilent(url, 6)
    await session.publish('x', 'still here')
    expect(happened).toEqual(['connected'])
  })
})
