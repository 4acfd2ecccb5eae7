import {
  createServer,
  type Http2Server,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type Settings,
} from 'node:http2'
import { type AddressInfo, connect, createServer as createPlainServer, type Server, type Socket } from 'node:net'
import { onTestFinished, vi } from 'vitest'
import { openPool } from './open-pool.ts'
import type { Pool, PoolAnswer, PoolOptions, PoolRequest } from './pool.ts'

/** Longer than a pool waits for the other side to close. */
const lingerMs = 10_000

/** Listens on a free port until the test ends; then every socket is cut. */
export async function listen(server: Server | Http2Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  })
  return (server.address() as AddressInfo).port
}

export interface TestHost {
  origin: string
  port: number
  sessions: ServerHttp2Session[]
  /** The paths of the requests in the order of their arrival. */
  seen: string[]
}

/** An HTTP/2 host without TLS that does with each request what the test says. */
export async function startHost(
  onRequest: (stream: ServerHttp2Stream, path: string) => void,
  settings: Settings = {},
  onSession: (session: ServerHttp2Session) => void = () => {},
): Promise<TestHost> {
  const server = createServer({ settings })
  const host: TestHost = { origin: '', port: 0, sessions: [], seen: [] }
  server.on('session', (session) => {
    host.sessions.push(session)
    session.on('error', () => {})
    onSession(session)
  })
  server.on('stream', (stream, headers) => {
    const path = headers[':path'] as string
    host.seen.push(path)
    stream.on('error', () => {})
    onRequest(stream, path)
  })
  server.on('sessionError', () => {})
  host.port = await listen(server)
  host.origin = `http://127.0.0.1:${host.port}`
  return host
}

export function answerOk(stream: ServerHttp2Stream): void {
  if (stream.destroyed) return
  stream.respond({ ':status': 200, 'content-type': 'application/json' })
  stream.end('{"ok":true}')
}

/** Stands between pool and host and can stop passing anything on, without closing: a half-open line. */
export async function startProxy(port: number): Promise<{ port: number; freeze(): void; cut(): void }> {
  const sockets: Socket[] = []
  const proxy = createPlainServer((near) => {
    const far = connect(port, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.push(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far)
    far.pipe(near)
  })
  return {
    port: await listen(proxy),
    freeze() {
      for (const socket of sockets) socket.unpipe().pause()
    },
    cut() {
      for (const socket of sockets) socket.resetAndDestroy()
    },
  }
}

export function openTestPool(options: Partial<PoolOptions> & { origin: string }): Pool {
  const pool = openPool({ maxConnections: 4, requestMs: 20_000, ...options })
  onTestFinished(async () => {
    const closed = pool.close()
    if (vi.isFakeTimers()) await vi.advanceTimersByTimeAsync(lingerMs)
    await closed
  })
  return pool
}

export function post(path: string, body = '{"a":1}'): PoolRequest {
  return { method: 'POST', path, headers: { 'content-type': 'application/json' }, body }
}

export function sendMany(pool: Pool, count: number, prefix = '/'): Promise<PoolAnswer[]> {
  return Promise.all(Array.from({ length: count }, (_, number) => pool.request(post(`${prefix}${number}`))))
}

export function statusOf(answer: PoolAnswer): number | string {
  return answer.kind === 'answer' ? answer.status : `${answer.kind}: ${answer.detail}`
}

/**
 * From now on timers end only as the test says, for pools that are opened later; the lines are real. With the clock,
 * which `until` needs, a host that is left alone is so until then as well.
 */
export function stopTime({ withClock = false } = {}): { pass(ms: number): Promise<unknown> } {
  const timers = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const
  vi.useFakeTimers({ toFake: withClock ? [...timers, 'performance'] : [...timers] })
  onTestFinished(() => void vi.useRealTimers())
  return { pass: (ms) => vi.advanceTimersByTimeAsync(ms) }
}
