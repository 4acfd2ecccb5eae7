import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { poll } from '@peyk/test/runner/poll.ts'
import { generate, type Packet, parser } from 'mqtt-packet'
import { afterEach, describe, expect, it } from 'vitest'
import { type WebSocket as Line, WebSocketServer } from 'ws'
import { MqttSession } from './mqtt-session.ts'

/** The other side of the line: what it got, and a way to say something. */
interface Peer {
  url: string
  got: Packet[]
  say(packet: Packet): void
  cut(): void
}

const servers: Server[] = []
const sessions: MqttSession[] = []
afterEach(() => {
  for (const session of sessions.splice(0)) session.close()
  for (const server of servers.splice(0)) server.close()
})

async function listen(answer: (packet: Packet, peer: Peer) => void = () => undefined): Promise<Peer> {
  const server = createServer().listen(0, '127.0.0.1')
  servers.push(server)
  let line: Line | undefined
  const peer: Peer = {
    url: '',
    got: [],
    say: (packet) => line?.send(generate(packet)),
    cut: () => line?.terminate(),
  }
  const sockets = new WebSocketServer({ server, handleProtocols: (offered) => (offered.has('mqtt') ? 'mqtt' : false) })
  sockets.on('connection', (socket) => {
    line = socket
    const reader = parser({ protocolVersion: 4 })
    reader.on('packet', (packet) => {
      peer.got.push(packet)
      if (packet.cmd === 'connect') peer.say({ cmd: 'connack', returnCode: 0, sessionPresent: false })
      answer(packet, peer)
    })
    socket.on('message', (data) => reader.parse(data as Buffer))
  })
  await once(server, 'listening')
  peer.url = `ws://127.0.0.1:${(server.address() as { port: number }).port}/mqtt`
  return peer
}

function open(url: string, onMessage: (topic: string, text: string) => Promise<void> | void = () => undefined) {
  const happened: string[] = []
  const options = { clientId: 'demo/ali/1', username: 'key', password: 'key', keepAliveSeconds: 90 }
  const session = new MqttSession(url, options, {
    onConnected: () => happened.push('connected'),
    onMessage: (topic, payload) => onMessage(topic, new TextDecoder().decode(payload)),
    onClosed: ({ refusal }) => happened.push(refusal === undefined ? 'closed' : `refused ${refusal}`),
  })
  sessions.push(session)
  return { session, happened }
}

const kinds = (peer: Peer) => peer.got.map(({ cmd }) => cmd)
const message = (messageId: number, payload: string) =>
  ({ cmd: 'publish', topic: 't', payload, qos: 1, messageId, dup: false, retain: false }) as const

describe('a session', () => {
  it('connects, subscribes and hears what it was granted', async () => {
    const peer = await listen(({ cmd, messageId }, self) => {
      if (cmd === 'subscribe') self.say({ cmd: 'suback', messageId: messageId as number, granted: [1, 128] })
      if (cmd === 'unsubscribe') self.say({ cmd: 'unsuback', messageId: messageId as number } as Packet)
    })
    const { session, happened } = open(peer.url)
    await poll(() => happened).toEqual(['connected'])
    expect(await session.subscribe(['a', 'b'])).toEqual([1, 128])
    await session.unsubscribe(['a'])
    expect(kinds(peer)).toEqual(['connect', 'subscribe', 'unsubscribe'])
  })

  it('publishes with QoS 1 until the server has it, and with QoS 0', async () => {
    const peer = await listen(({ cmd, messageId }, self) => {
      if (cmd === 'publish' && messageId !== undefined) self.say({ cmd: 'puback', messageId })
    })
    const { session, happened } = open(peer.url)
    await poll(() => happened).toEqual(['connected'])
    await session.publish('a', 'one')
    session.tell('b', 'two')
    await poll(() => peer.got.length).toBe(3)
    expect(peer.got.slice(1)).toMatchObject([
      { topic: 'a', qos: 1, payload: Buffer.from('one') },
      { topic: 'b', qos: 0, payload: Buffer.from('two') },
    ])
  })

  it('acknowledges messages one after the other, each when it was dealt with', async () => {
    const peer = await listen()
    const seen: string[] = []
    let letGo: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const { happened } = open(peer.url, async (_, text) => {
      seen.push(text)
      if (text === 'first') await held
    })
    await poll(() => happened).toEqual(['connected'])
    peer.say(message(1, 'first'))
    peer.say(message(2, 'second'))
    await poll(() => seen).toEqual(['first'])
    expect(kinds(peer)).toEqual(['connect'])
    letGo()
    await poll(() => peer.got.slice(1)).toMatchObject([{ messageId: 1 }, { messageId: 2 }])
    expect(kinds(peer).slice(1)).toEqual(['puback', 'puback'])
  })

  it('does not acknowledge what could not be dealt with, and ends', async () => {
    const peer = await listen()
    const { happened } = open(peer.url, () => Promise.reject(new Error('no room')))
    await poll(() => happened).toEqual(['connected'])
    peer.say(message(1, 'first'))
    await poll(() => happened).toEqual(['connected', 'closed'])
    expect(kinds(peer)).toEqual(['connect'])
  })

  it('hands over nothing more after it was closed: it is the next one that is told, or nobody', async () => {
    const peer = await listen(({ cmd, messageId }, self) => {
      if (cmd === 'publish') self.say({ cmd: 'puback', messageId: messageId as number })
    })
    const seen: string[] = []
    let letGo: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const { session, happened } = open(peer.url, async (_, text) => {
      seen.push(text)
      await held
    })
    await poll(() => happened).toEqual(['connected'])
    for (const [at, text] of ['first', 'second'].entries()) peer.say(message(at + 1, text))
    await poll(() => seen).toEqual(['first'])
    await session.publish('a', 'until both have come')
    session.close()
    letGo()
    await poll(() => kinds(peer).at(-1)).toBe('disconnect')
    expect(seen).toEqual(['first'])
  })

  it('says good-bye when it is closed', async () => {
    const peer = await listen()
    const { session, happened } = open(peer.url)
    await poll(() => happened).toEqual(['connected'])
    session.close()
    await poll(() => kinds(peer)).toEqual(['connect', 'disconnect'])
    expect(happened).toEqual(['connected', 'closed'])
  })

  it('ends once when the line is cut, when it is refused, when nobody is there and when the server talks nonsense', async () => {
    const cut = await listen()
    const first = open(cut.url)
    await poll(() => first.happened).toEqual(['connected'])
    cut.cut()
    await poll(() => first.happened).toEqual(['connected', 'closed'])

    const nobody = open('ws://127.0.0.1:9/mqtt')
    await poll(() => nobody.happened).toEqual(['closed'])

    const nonsense = await listen((_, self) => self.say({ cmd: 'pingreq' }))
    const third = open(nonsense.url)
    await poll(() => third.happened).toEqual(['connected', 'closed'])
  })
})

it('says with which code it was refused', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  new WebSocketServer({ server, handleProtocols: () => 'mqtt' }).on('connection', (socket) => {
    socket.on('message', () => socket.send(generate({ cmd: 'connack', returnCode: 5, sessionPresent: false })))
  })
  const { happened } = open(`ws://127.0.0.1:${(server.address() as { port: number }).port}`)
  await poll(() => happened).toEqual(['refused 5'])
})
