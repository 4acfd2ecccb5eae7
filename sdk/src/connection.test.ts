import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { poll } from '@peyk/test/runner/poll.ts'
import { generate, parser } from 'mqtt-packet'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type WebSocket as Line, WebSocketServer } from 'ws'
import { Connection, type Identity } from './connection.ts'

const servers: Server[] = []
const connections: Connection[] = []
const DAY = 86_400_000

/** Pauses end when the test says so; the lines are real. */
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => {
  vi.useRealTimers()
  for (const connection of connections.splice(0)) connection.stop()
  for (const server of servers.splice(0)) server.close()
})

/** A service that lets in whom it is told to, and may have enough of them at once. */
async function openService(
  isLetIn: (clientId: string) => boolean,
  onAnswered: (socket: Line) => void = () => undefined,
): Promise<{ baseUrl: string; asked: string[] }> {
  const server = createServer().listen(0, '127.0.0.1')
  servers.push(server)
  const asked: string[] = []
  new WebSocketServer({ server, handleProtocols: () => 'mqtt' }).on('connection', (socket) => {
    const reader = parser({ protocolVersion: 4 })
    reader.on('packet', (packet) => {
      if (packet.cmd !== 'connect') return
      asked.push(packet.clientId)
      socket.send(generate({ cmd: 'connack', returnCode: isLetIn(packet.clientId) ? 0 : 5, sessionPresent: true }))
      onAnswered(socket)
    })
    socket.on('message', (data) => reader.parse(data as Buffer))
  })
  await once(server, 'listening')
  return { baseUrl: `http://127.0.0.1:${(server.address() as { port: number }).port}`, asked }
}

function connect(onRefused: (connection: Connection) => Promise<void> = async () => undefined) {
  const states: string[] = []
  const changedAt: number[] = []
  const connection = new Connection({
    onMessage: async () => undefined,
    onClear: async () => undefined,
    onStatus: ({ state }) => {
      states.push(state)
      changedAt.push(performance.now())
    },
    onRefused: () => onRefused(connection),
  })
  connections.push(connection)
  return { connection, states, changedAt }
}

const identity = (baseUrl: string, userId: string): Identity => ({
  appId: 'shop',
  clientKey: 'key',
  baseUrl,
  userId,
  installationId: '1',
})

it('is not refused when only its user was another one by then', async () => {
  const { baseUrl, asked } = await openService((clientId) => clientId === 'shop/sara/1')
  const { connection, states } = connect(async (self) => self.start(identity(baseUrl, 'sara')))
  connection.start(identity(baseUrl, 'guest'))
  await poll(() => states).toEqual(['connecting', 'waiting', 'connecting', 'connected'])
  expect(asked).toEqual(['shop/guest/1', 'shop/sara/1'])
})

it('is refused when it is refused again after it was read anew', async () => {
  const { baseUrl, asked } = await openService(() => false)
  let timesRead = 0
  const { connection, states } = connect(async () => void timesRead++)
  connection.start(identity(baseUrl, 'sara'))
  await poll(() => states).toEqual(['connecting', 'waiting'])
  await vi.advanceTimersByTimeAsync(1_000)
  await poll(() => states).toEqual(['connecting', 'waiting', 'connecting', 'refused'])
  expect(connection.status.reason).toContain('is the client key right?')
  expect(asked).toHaveLength(2)
  expect(timesRead).toBe(2)
})

it('does not come back after it was stopped while it was read anew', async () => {
  const { baseUrl, asked } = await openService(() => false)
  const { connection, states } = connect(async (self) => self.stop())
  connection.start(identity(baseUrl, 'sara'))
  await poll(() => states).toEqual(['connecting', 'waiting', 'stopped'])
  await vi.advanceTimersByTimeAsync(DAY)
  expect(vi.getTimerCount()).toBe(0)
  expect(states).toEqual(['connecting', 'waiting', 'stopped'])
  expect(asked).toHaveLength(1)
})

it('comes back later and later to a service that lets it in and then drops it', async () => {
  const { baseUrl } = await openService(
    () => true,
    (socket) => socket.close(),
  )
  const { connection, states, changedAt } = connect()
  connection.start(identity(baseUrl, 'sara'))
  const longestPausesMs = [1_000, 2_000, 4_000]
  for (const [index, longestMs] of longestPausesMs.entries()) {
    await poll(() => states.filter((state) => state === 'waiting').length).toBeGreaterThan(index)
    await vi.advanceTimersByTimeAsync(longestMs)
  }
  const pauses = states.flatMap((state, index) =>
    state === 'waiting' && index + 1 < states.length
      ? [(changedAt[index + 1] as number) - (changedAt[index] as number)]
      : [],
  )
  for (const [index, longestMs] of longestPausesMs.entries()) {
    expect(pauses[index]).toBeGreaterThanOrEqual(longestMs / 2)
    expect(pauses[index]).toBeLessThanOrEqual(longestMs)
  }
})
