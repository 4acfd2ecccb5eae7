import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2'
import { connect, createServer } from 'node:net'
import { until } from '@peyk/test/runner/until.ts'
import { expect, it, onTestFinished } from 'vitest'
import {
  answerOk,
  listen,
  openTestPool,
  post,
  sendMany,
  startHost,
  startProxy,
  statusOf,
  stopTime,
} from './host.test-support.ts'

it('sends a request and brings its answer back', async () => {
  const host = await startHost((stream) => {
    let body = ''
    stream.setEncoding('utf8').on('data', (part) => {
      body += part
    })
    stream.on('end', () => {
      stream.respond({ ':status': 201, location: '/m/1', 'set-cookie': ['a=1', 'b=2'] })
      stream.end(`got ${body}`)
    })
  })
  const pool = openTestPool({ origin: host.origin })
  const answer = await pool.request(post('/m', 'سلام'))
  expect(answer).toMatchObject({ kind: 'answer', status: 201, body: 'got سلام' })
  expect(answer.kind === 'answer' && answer.headers.location).toBe('/m/1')
  expect(answer.kind === 'answer' && answer.headers['set-cookie']).toBe('a=1,b=2')
  expect(host.seen).toEqual(['/m'])
})

it('sends bodies as strings and as bytes, and requests without one', async () => {
  const lengths: (string | undefined)[] = []
  const host = await startHost((stream) => stream.resume().on('end', () => answerOk(stream)))
  const pool = openTestPool({ origin: host.origin })
  await pool.request({ method: 'POST', path: '/string', headers: {}, body: 'é' })
  host.sessions[0]?.on('stream', (_stream, headers) => lengths.push(headers['content-length']))
  await pool.request({ method: 'POST', path: '/string', headers: {}, body: 'é' })
  await pool.request({ method: 'POST', path: '/bytes', headers: {}, body: Buffer.from([1, 2, 3]) })
  await pool.request({ method: 'GET', path: '/nothing', headers: {} })
  expect(lengths).toEqual(['2', '3', undefined])
})

it('opens no connection before the first request and one for few', async () => {
  const host = await startHost(answerOk)
  const pool = openTestPool({ origin: host.origin })
  expect(pool.connections).toBe(0)
  await sendMany(pool, 20)
  expect(pool.connections).toBe(1)
  expect(host.sessions).toHaveLength(1)
})

it('grows to its limit when every connection is full, and no further', async () => {
  const held: ServerHttp2Stream[] = []
  const host = await startHost((stream) => void held.push(stream), { maxConcurrentStreams: 10 })
  const pool = openTestPool({ origin: host.origin, maxConnections: 3 })
  const answers = sendMany(pool, 100)
  await until(
    () => held.length,
    (value) => value === 30,
  )
  expect(host.sessions).toHaveLength(3)
  const release = setInterval(() => held.splice(0).forEach(answerOk), 5)
  onTestFinished(() => clearInterval(release))
  expect(new Set((await answers).map(statusOf))).toEqual(new Set([200]))
  expect(host.sessions).toHaveLength(3)
})

it('shrinks again when connections are idle', async () => {
  const time = stopTime()
  const held: ServerHttp2Stream[] = []
  const host = await startHost((stream) => void held.push(stream), { maxConcurrentStreams: 5 })
  const pool = openTestPool({ origin: host.origin, maxConnections: 4, idleMs: 1_000 })
  const answers = sendMany(pool, 20)
  await until(
    () => held.length,
    (count) => count === 20,
  )
  held.splice(0).forEach(answerOk)
  await answers
  expect(pool.connections).toBe(4)
  await time.pass(10_000)
  await until(
    () => pool.connections,
    (value) => value === 0,
  )
  const again = pool.request(post('/again'))
  await until(
    () => held.length,
    (count) => count === 1,
  )
  held.forEach(answerOk)
  expect(statusOf(await again)).toBe(200)
})

it('never has more requests under way than the host allows, also after the host has changed its mind', async () => {
  let now = 0
  let most = 0
  let limit = 8
  const host = await startHost(
    (stream) => {
      now++
      most = Math.max(most, now)
      setTimeout(() => {
        now--
        answerOk(stream)
      }, 2)
    },
    { maxConcurrentStreams: limit },
  )
  const pool = openTestPool({ origin: host.origin, maxConnections: 1 })
  expect((await sendMany(pool, 100)).map(statusOf)).toEqual(Array(100).fill(200))
  expect(most).toBe(limit)
  for (limit of [2, 20]) {
    await new Promise<void>((resolve) => host.sessions[0]?.settings({ maxConcurrentStreams: limit }, () => resolve()))
    most = 0
    expect((await sendMany(pool, 200)).map(statusOf)).toEqual(Array(200).fill(200))
    expect(most).toBe(limit)
  }
})

it('takes up requests that wait when the host allows more', async () => {
  const host = await startHost(answerOk, { maxConcurrentStreams: 0 })
  const pool = openTestPool({ origin: host.origin, maxConnections: 1 })
  const answers = sendMany(pool, 5)
  await until(
    () => host.sessions.length,
    (value) => value === 1,
  )
  host.sessions[0]?.settings({ maxConcurrentStreams: 3 })
  expect((await answers).map(statusOf)).toEqual(Array(5).fill(200))
})

it('gives a waiting request back as not sent when no room comes', async () => {
  const time = stopTime()
  const host = await startHost(() => {}, { maxConcurrentStreams: 0 })
  const pool = openTestPool({ origin: host.origin, maxConnections: 1, waitMs: 1_000 })
  const answer = pool.request(post('/'))
  await time.pass(1_500)
  expect(statusOf(await answer)).toBe('not-sent: no connection had room in time')
  expect(host.seen).toEqual([])
})

it('keeps to one request at a time until the first 200 when it is cautious', async () => {
  let now = 0
  let mostBefore = 0
  let mostAfter = 0
  let answered = 0
  const host = await startHost((stream, path) => {
    now++
    if (answered < 4) mostBefore = Math.max(mostBefore, now)
    else mostAfter = Math.max(mostAfter, now)
    setTimeout(() => {
      now--
      answered++
      stream.respond({ ':status': Number(path.slice(1)) < 3 ? 403 : 200 }, { endStream: true })
    }, 10)
  })
  const pool = openTestPool({ origin: host.origin, isCautious: true })
  const statuses = (await sendMany(pool, 60)).map(statusOf)
  expect(statuses.slice(0, 4)).toEqual([403, 403, 403, 200])
  expect(mostBefore).toBe(1)
  expect(mostAfter).toBeGreaterThan(20)
  expect(host.sessions).toHaveLength(1)
})

it('leaves a dead host alone for a while and says why', async () => {
  stopTime({ withClock: true })
  const server = createServer()
  const port = await listen(server)
  let attempts = 0
  server.on('connection', (socket) => {
    attempts++
    socket.destroy()
  })
  const pool = openTestPool({ origin: `http://127.0.0.1:${port}` })
  for (let round = 0; round < 200; round++) {
    const answer = await pool.request(post('/'))
    expect(answer.kind).toBe('not-sent')
    expect(answer.kind === 'not-sent' && answer.detail).toMatch(/closed the connection|reset/)
  }
  expect(attempts).toBe(1)
})

it('leaves a host alone for a while that greets and says goodbye at once', async () => {
  stopTime({ withClock: true })
  const sayGoodbye = (session: ServerHttp2Session) => session.goaway(0, 0)
  const host = await startHost(() => {}, {}, sayGoodbye)
  const pool = openTestPool({ origin: host.origin })
  for (let round = 0; round < 100; round++) expect((await pool.request(post('/'))).kind).toBe('not-sent')
  expect(host.sessions).toHaveLength(1)
})

it('counts connections that fail together as one failure', async () => {
  const time = stopTime({ withClock: true })
  let attempts = 0
  const server = createServer((socket) => {
    attempts++
    socket.destroy()
  })
  const pool = openTestPool({ origin: `http://127.0.0.1:${await listen(server)}`, maxConnections: 8 })
  const answers = await sendMany(pool, 800)
  expect(new Set(answers.map((answer) => answer.kind))).toEqual(new Set(['not-sent']))
  expect(attempts).toBe(8)
  for (const [backOffMs, count] of [
    [250, 9],
    [500, 10],
    [1_000, 11],
  ] as const) {
    await pool.request(post('/early'))
    expect(attempts).toBe(count - 1)
    await time.pass(backOffMs)
    await pool.request(post('/again'))
    expect(attempts).toBe(count)
  }
})

it('comes back when the host does', async () => {
  const host = await startHost(answerOk)
  const gate = createServer((socket) => socket.destroy())
  const port = await listen(gate)
  const pool = openTestPool({ origin: `http://127.0.0.1:${port}` })
  expect((await pool.request(post('/'))).kind).toBe('not-sent')
  gate.removeAllListeners('connection')
  gate.on('connection', (near) => {
    const far = connect(host.port, '127.0.0.1')
    near.pipe(far).pipe(near)
    near.on('error', () => far.destroy()).on('close', () => far.destroy())
    far.on('error', () => near.destroy()).on('close', () => near.destroy())
  })
  await until(
    async () => statusOf(await pool.request(post('/'))),
    (status) => status === 200,
  )
  expect(host.seen).toHaveLength(1)
})

it('says that a connection was refused', async () => {
  const pool = openTestPool({ origin: 'http://127.0.0.1:9' })
  expect(statusOf(await pool.request(post('/')))).toBe('not-sent: connection refused')
})

it('finishes what is under way when it is closed, and sends nothing later', async () => {
  const host = await startHost((stream) => setTimeout(answerOk, 50, stream), { maxConcurrentStreams: 5 })
  const pool = openTestPool({ origin: host.origin, maxConnections: 2 })
  const answers = sendMany(pool, 50)
  const closed = pool.close()
  expect(statusOf(await pool.request(post('/late')))).toBe('not-sent: the pool is closed')
  expect((await answers).map(statusOf)).toEqual(Array(50).fill(200))
  await closed
  expect(pool.connections).toBe(0)
  expect(host.seen).toHaveLength(50)
  await pool.close()
})

it('closes although the other side has fallen silent', async () => {
  const time = stopTime()
  const host = await startHost(answerOk)
  const proxy = await startProxy(host.port)
  const pool = openTestPool({ origin: `http://127.0.0.1:${proxy.port}` })
  await pool.request(post('/'))
  proxy.freeze()
  const closed = pool.close()
  await time.pass(10_000)
  await closed
  expect(pool.connections).toBe(0)
})

it('closes at once when nothing was ever sent', async () => {
  const pool = openTestPool({ origin: 'http://127.0.0.1:9' })
  await expect(pool.close()).resolves.toBeUndefined()
  expect(pool.connections).toBe(0)
  expect(statusOf(await pool.request(post('/late')))).toBe('not-sent: the pool is closed')
})

it('leaves no timers and sockets behind, and no listeners, after thousands of requests', async () => {
  const warnings: Error[] = []
  const note = (warning: Error) => void warnings.push(warning)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  const resources = () =>
    process.getActiveResourcesInfo().filter((name) => name === 'Timeout' || name === 'TCPSocketWrap').length
  const host = await startHost(answerOk)
  const before = resources()
  const pool = openTestPool({ origin: host.origin })
  for (let round = 0; round < 10; round++) {
    expect(new Set((await sendMany(pool, 500)).map(statusOf))).toEqual(new Set([200]))
  }
  await pool.close()
  await until(resources, (count) => count <= before)
  expect(warnings).toEqual([])
})

it('gives a request that is not valid back as not sent', async () => {
  const host = await startHost(answerOk)
  const pool = openTestPool({ origin: host.origin })
  const badHeaders = [{ connection: 'close' }, { 'x y': '1' }, { ok: 'a\0\0evil\0yes' }, { ':odd': '1' }]
  for (const headers of badHeaders as Record<string, string>[]) {
    const answer = await pool.request({ method: 'POST', path: '/', headers, body: '' })
    expect(statusOf(answer), JSON.stringify(headers)).toMatch(/^not-sent: the request is not valid/)
  }
  for (const path of ['', 'x', '/a b', '/a\n', '/\0', '/é']) {
    expect(statusOf(await pool.request(post(path))), path).toMatch(/^not-sent: the request is not valid/)
  }
  expect(host.seen).toEqual([])
  expect(statusOf(await pool.request(post('/good')))).toBe(200)
})

it('does not send what is not wanted any more when there is room, and says so while there is none', async () => {
  const held: ServerHttp2Stream[] = []
  const host = await startHost((stream) => void held.push(stream), { maxConcurrentStreams: 1 })
  const pool = openTestPool({ origin: host.origin, maxConnections: 1 })
  let isWanted = true
  const first = pool.request(post('/first'))
  const waiting = pool.request({ ...post('/waiting'), isWanted: () => isWanted })
  await until(
    () => held.length,
    (value) => value === 1,
  )
  isWanted = false
  expect(await waiting).toMatchObject({ kind: 'not-sent', wasWithdrawn: true })
  expect(await pool.request({ ...post('/late'), isWanted: () => false })).toMatchObject({ wasWithdrawn: true })
  held.forEach(answerOk)
  expect(statusOf(await first)).toBe(200)
  expect(host.seen).toEqual(['/first'])
})
