import { createServer } from 'node:net'
import { until } from '@peyk/test/runner/until.ts'
import { expect, it } from 'vitest'
import { answerOk, listen, openTestPool, post, sendMany, startHost, statusOf, stopTime } from '../host.test-support.ts'
import { frame, ok, settings, startBareHost, text } from './bare-host.test-support.ts'
import { DATA, GOAWAY, HEADERS, PING, RST_STREAM, SETTINGS, WINDOW_UPDATE } from './frames.ts'

const PRIORITY = 2
const UNKNOWN = 0xbe
const longSettings = Buffer.concat(Array.from({ length: 2_000 }, () => Buffer.from([0, 4, 0, 0, 0, 1])))
const beginning = frame(HEADERS, 4, 1, ok)
const end = Buffer.concat([beginning, frame(DATA, 1, 1, 'fine')])

/** A host that answers the first request with a beginning, then repeats frames for as long as anybody reads. */
async function startPouringHost(first: Buffer, repeated: Buffer) {
  const part = Buffer.concat(Array.from({ length: Math.ceil(50_000 / repeated.length) }, () => repeated))
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.write(settings)
    let heard = 0
    const pour = () => {
      while (!socket.destroyed && socket.write(part));
    }
    socket.on('drain', pour)
    socket.on('data', ({ length }) => {
      heard += length
      if (heard < 100) return
      heard = Number.NEGATIVE_INFINITY
      socket.write(first)
      pour()
    })
    socket.once('close', () => connections--)
  })
  const origin = `http://127.0.0.1:${await listen(server)}`
  return { pool: openTestPool({ origin, maxConnections: 1 }), connections: () => connections }
}

const nothing = Buffer.alloc(0)
it.each([
  ['empty settings', frame(SETTINGS, 0, 0)],
  ['long settings', frame(SETTINGS, 0, 0, longSettings)],
  ['acknowledgements of settings', frame(SETTINGS, 1, 0)],
  ['pings', frame(PING, 0, 0, '12345678')],
  ['answers to pings', frame(PING, 1, 0, '12345678')],
  ['windows of the connection', frame(WINDOW_UPDATE, 0, 0, [0, 0, 0, 1])],
  ['windows of the stream', frame(WINDOW_UPDATE, 0, 1, [0, 0, 0, 1])],
  ['priorities', frame(PRIORITY, 0, 1, [0, 0, 0, 0, 1])],
  ['unknown frames of the connection', frame(UNKNOWN, 0, 0, 'x')],
  ['unknown frames of the stream', frame(UNKNOWN, 0, 1, Buffer.alloc(16_000))],
])('ends a connection on which a host sends nothing but %s', async (_what, repeated) => {
  stopTime()
  const { pool, connections } = await startPouringHost(nothing, repeated)
  expect(statusOf(await pool.request(post('/')))).toBe('unclear: the other side does not keep to HTTP/2')
  await until(connections, (count) => count === 0)
})

it.each([
  ['data', frame(DATA, 0, 1, 'x')],
  ['empty data', frame(DATA, 0, 1)],
  ['resets', frame(RST_STREAM, 0, 1, [0, 0, 0, 0])],
  ['headers', frame(HEADERS, 4, 1, ok)],
  ['windows', frame(WINDOW_UPDATE, 0, 1, [0, 0, 0, 1])],
  ['goodbyes', frame(GOAWAY, 0, 0, [0, 0, 0, 1, 0, 0, 0, 0])],
])('ends a connection on which a host goes on with %s after its answer', async (_what, repeated) => {
  stopTime()
  const { pool, connections } = await startPouringHost(end, repeated)
  expect(await pool.request(post('/'))).toMatchObject({ status: 200, body: 'fine' })
  await until(connections, (count) => count === 0)
})

it.each([
  ['empty data', frame(DATA, 0, 1), ''],
  ['padding', frame(DATA, 8, 1, Buffer.from([255, ...Buffer.alloc(255)])), ''],
  ['one byte at a time', frame(DATA, 0, 1, 'x'), 'x'.repeat(4_096)],
  ['seventeen bytes at a time', frame(DATA, 0, 1, 'x'.repeat(17)), 'x'.repeat(65_536)],
])('takes at most 4,096 frames of an answer: %s', async (_what, repeated, body) => {
  stopTime()
  const { pool, connections } = await startPouringHost(beginning, repeated)
  expect(await pool.request(post('/'))).toMatchObject({ status: 200, body })
  await until(connections, (count) => count === 0)
})

it('takes two interim responses, and ends a request at the third', async () => {
  const interim = frame(HEADERS, 4, 1, [0x08, ...text('103')])
  const two = await startBareHost([interim, interim, end])
  expect(await two.request(post('/'))).toMatchObject({ status: 200, body: 'fine' })
  const three = await startBareHost([interim, interim, interim, end])
  const detail = 'the other side sent too many interim responses'
  expect(await three.request(post('/'))).toEqual({ kind: 'unclear', detail })
})

it('takes one block of headers after the first, at the end', async () => {
  const more = frame(HEADERS, 4, 1, [0, ...text('x'), ...text('y')])
  const pool = await startBareHost([beginning, frame(DATA, 0, 1, 'fine'), more, frame(DATA, 1, 1, 'more')])
  expect(await pool.request(post('/'))).toMatchObject({ status: 200, body: 'fine' })
})

it('ends a connection whose host widens the window of a stream beyond what there is', async () => {
  const wider = frame(WINDOW_UPDATE, 0, 1, [0x7f, 0xff, 0xff, 0xff])
  const pool = await startBareHost([wider, wider])
  const answer = await pool.request(post('/', 'x'.repeat(100_000)))
  expect(statusOf(answer)).toBe('unclear: the other side does not keep to HTTP/2')
})

it('sends the body of one request while others wait for windows of their own', async () => {
  const host = await startHost(
    (stream, path) => {
      if (path === '/small') stream.on('end', () => answerOk(stream)).resume()
      else stream.pause()
    },
    { initialWindowSize: 1_000 },
  )
  const pool = openTestPool({ origin: host.origin, maxConnections: 1 })
  const blocked = Array.from({ length: 50 }, () => pool.request(post('/blocked', 'x'.repeat(5_000))))
  await until(
    () => host.seen.length,
    (count) => count === 50,
  )
  expect(statusOf(await pool.request(post('/small')))).toBe(200)
  for (const session of host.sessions) session.destroy()
  await Promise.all(blocked)
})

/** A host that answers each request with these frames, on one connection at a time with up to 1,000 requests. */
async function startAnsweringHost(answer: (streamId: number) => Buffer[] | Promise<Buffer[]>) {
  const server = createServer((socket) => {
    socket.write(frame(SETTINGS, 0, 0, [0, 3, 0, 0, 3, 0xe8]))
    let rest = Buffer.alloc(0)
    let isGreeting = true
    socket.on('data', async (part) => {
      rest = Buffer.concat([rest, part])
      if (isGreeting) rest = rest.subarray(24)
      isGreeting = false
      const asked: number[] = []
      while (rest.length >= 9 && rest.length >= 9 + rest.readUIntBE(0, 3)) {
        if (rest[3] === HEADERS) asked.push(rest.readUInt32BE(5))
        rest = rest.subarray(9 + rest.readUIntBE(0, 3))
      }
      for (const streamId of asked)
        void Promise.resolve(answer(streamId)).then((said) => socket.write(Buffer.concat(said)))
    })
  })
  return `http://127.0.0.1:${await listen(server)}`
}

const answerTo = (id: number) => [frame(HEADERS, 4, id, ok), frame(DATA, 0, id, 'fi'), frame(DATA, 1, id, 'ne')]

it('keeps a connection whose host sends windows and pings with every answer', async () => {
  const wider = [0, 0, 0, 1]
  const origin = await startAnsweringHost((id) => [
    frame(WINDOW_UPDATE, 0, 0, wider),
    frame(WINDOW_UPDATE, 0, id, wider),
    frame(PING, 0, 0, '12345678'),
    ...answerTo(id),
  ])
  const pool = openTestPool({ origin, maxConnections: 1 })
  const statuses = (await sendMany(pool, 5_000)).map(statusOf)
  expect(new Set(statuses)).toEqual(new Set([200]))
})

it('keeps a connection whose host answers a thousand requests after their time', async () => {
  const time = stopTime()
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const isLate = (streamId: number) => streamId < 2_000
  const origin = await startAnsweringHost(async (streamId) => {
    if (isLate(streamId)) await released
    return answerTo(streamId)
  })
  const pool = openTestPool({ origin, maxConnections: 1, requestMs: 2_000 })
  const late = sendMany(pool, 1_000)
  await until(
    () => pool.connections,
    (count) => count === 1,
  )
  await time.pass(5_000)
  expect(new Set((await late).map(statusOf))).toEqual(new Set(['unclear: no answer in time']))
  release()
  expect(statusOf(await pool.request(post('/')))).toBe(200)
  expect(statusOf(await pool.request(post('/')))).toBe(200)
  expect(pool.connections).toBe(1)
})
