import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import { effortLevel, isThorough } from '@peyk/test/runner/effort.ts'
import { until } from '@peyk/test/runner/until.ts'
import { expect, it } from 'vitest'
import {
  answerOk,
  openTestPool,
  post,
  sendMany,
  startHost,
  startProxy,
  statusOf,
  stopTime,
} from './host.test-support.ts'
import type { PoolAnswer } from './pool.ts'

it.runIf(isThorough)('loses nothing and doubles nothing when the host says GOAWAY every 50 requests', async () => {
  const taken = new Map<string, number>()
  const host = await startHost((stream, path) => {
    const session = stream.session as NonNullable<typeof stream.session> & { lastTaken?: number; count?: number }
    const id = stream.id as number
    if (session.lastTaken !== undefined && id > session.lastTaken) return
    taken.set(path, (taken.get(path) ?? 0) + 1)
    session.count = (session.count ?? 0) + 1
    if (session.count === 50) {
      session.lastTaken = id
      session.goaway(constants.NGHTTP2_NO_ERROR, id)
    }
    setImmediate(answerOk, stream)
  })
  const pool = openTestPool({ origin: host.origin, maxConnections: 5 })
  const total = effortLevel === 'usual' ? 1_000 : 20_000
  let next = 0
  let resent = 0
  const others: PoolAnswer[] = []
  const sendNext = async () => {
    while (next < total) {
      const path = `/${next++}`
      let answer = await pool.request(post(path))
      while (answer.kind === 'not-sent') {
        resent++
        answer = await pool.request(post(path))
      }
      if (statusOf(answer) !== 200) others.push(answer)
    }
  }
  await Promise.all(Array.from({ length: 200 }, sendNext))
  expect(others).toEqual([])
  expect(taken.size).toBe(total)
  expect([...taken.values()].every((times) => times === 1)).toBe(true)
  expect(resent).toBeGreaterThan(0)
  expect(host.sessions.length).toBeGreaterThanOrEqual(total / 50)
})

it('gives requests above the last id of a GOAWAY back as not sent, and lets the others finish', async () => {
  const time = stopTime()
  const held: ServerHttp2Stream[] = []
  const host = await startHost((stream) => void held.push(stream))
  const pool = openTestPool({ origin: host.origin })
  const taken = sendMany(pool, 6, '/taken/')
  const late = sendMany(pool, 4, '/late/')
  await until(
    () => held.length,
    (value) => value === 10,
  )
  host.sessions[0]?.goaway(constants.NGHTTP2_NO_ERROR, held[5]?.id)
  expect((await late).map((answer) => answer.kind)).toEqual(Array(4).fill('not-sent'))
  for (const stream of held.slice(0, 6)) answerOk(stream)
  expect((await taken).map(statusOf)).toEqual(Array(6).fill(200))
  await time.pass(10_000)
  await until(
    () => pool.connections,
    (value) => value === 0,
  )
})

it.each([constants.NGHTTP2_ENHANCE_YOUR_CALM, constants.NGHTTP2_REFUSED_STREAM])(
  'takes a GOAWAY with error %i as the end: above its last id not sent, the others unclear',
  async (code) => {
    const held: ServerHttp2Stream[] = []
    const host = await startHost((stream) => void held.push(stream))
    const pool = openTestPool({ origin: host.origin })
    const answers = sendMany(pool, 4)
    await until(
      () => held.length,
      (value) => value === 4,
    )
    host.sessions[0]?.goaway(code, held[1]?.id)
    expect((await answers).map((answer) => answer.kind)).toEqual(['unclear', 'unclear', 'not-sent', 'not-sent'])
  },
)

it('tells a refused stream from one that was reset', async () => {
  const codes: Record<string, number> = {
    '/refused': constants.NGHTTP2_REFUSED_STREAM,
    '/internal': constants.NGHTTP2_INTERNAL_ERROR,
    '/cancel': constants.NGHTTP2_CANCEL,
    '/none': constants.NGHTTP2_NO_ERROR,
  }
  const host = await startHost((stream, path) => stream.close(codes[path]))
  const pool = openTestPool({ origin: host.origin })
  expect(statusOf(await pool.request(post('/refused')))).toBe('not-sent: the other side did not take the request')
  expect(statusOf(await pool.request(post('/internal')))).toBe('unclear: the other side said INTERNAL_ERROR')
  expect(statusOf(await pool.request(post('/cancel')))).toBe('unclear: the other side said CANCEL')
  expect((await pool.request(post('/none'))).kind).toBe('unclear')
  expect(host.sessions).toHaveLength(1)
})

it('calls requests unclear whose connection is reset under them, and goes on with a new one', async () => {
  let isHolding = true
  const host = await startHost((stream) => (isHolding ? undefined : answerOk(stream)))
  const proxy = await startProxy(host.port)
  const pool = openTestPool({ origin: `http://127.0.0.1:${proxy.port}` })
  const answers = sendMany(pool, 20)
  await until(
    () => host.seen.length,
    (value) => value === 20,
  )
  proxy.cut()
  expect(new Set((await answers).map((answer) => answer.kind))).toEqual(new Set(['unclear']))
  isHolding = false
  await until(
    async () => statusOf(await pool.request(post('/'))),
    (status) => status === 200,
  )
})

it('finds a silent connection by its PING', async () => {
  const time = stopTime()
  const host = await startHost((stream, path) => (path === '/first' ? answerOk(stream) : undefined))
  const proxy = await startProxy(host.port)
  const pool = openTestPool({ origin: `http://127.0.0.1:${proxy.port}`, pingEveryMs: 1_000 })
  await pool.request(post('/first'))
  proxy.freeze()
  const answers = sendMany(pool, 5)
  await time.pass(3_000)
  expect(new Set((await answers).map(statusOf))).toEqual(new Set(['unclear: no answer to a ping']))
  await until(
    () => pool.connections,
    (value) => value === 0,
  )
})

it('keeps a connection whose host is slow but answers its PINGs', async () => {
  const time = stopTime()
  const held: ServerHttp2Stream[] = []
  let pings = 0
  const countPings = (session: ServerHttp2Session) => void session.on('ping', () => pings++)
  const host = await startHost(
    (stream, path) => (path === '/slow' ? void held.push(stream) : answerOk(stream)),
    {},
    countPings,
  )
  const pool = openTestPool({ origin: host.origin, pingEveryMs: 1_000 })
  const slow = pool.request(post('/slow'))
  for (const count of [1, 2, 3]) {
    // Its answer comes on the same line: what the host said before has come too.
    expect(statusOf(await pool.request(post('/quick')))).toBe(200)
    await time.pass(1_250)
    await until(
      () => pings,
      (value) => value === count,
    )
  }
  held.forEach(answerOk)
  expect(statusOf(await slow)).toBe(200)
  expect(host.sessions).toHaveLength(1)
})

it('calls a request unclear that is not answered in time, and cancels it', async () => {
  const time = stopTime()
  let code: number | undefined
  const host = await startHost((stream, path) => {
    if (path !== '/never') answerOk(stream)
    else stream.on('close', () => (code = stream.rstCode))
  })
  const pool = openTestPool({ origin: host.origin, requestMs: 2_000 })
  let hasEnded = false
  const never = pool.request(post('/never')).finally(() => (hasEnded = true))
  expect(statusOf(await pool.request(post('/')))).toBe(200)
  await time.pass(2_000)
  expect(hasEnded).toBe(false)
  await time.pass(500)
  expect(statusOf(await never)).toBe('unclear: no answer in time')
  await until(
    () => code,
    (value) => value === constants.NGHTTP2_CANCEL,
  )
  expect(statusOf(await pool.request(post('/')))).toBe(200)
  expect(host.sessions).toHaveLength(1)
})

it('takes the first 64 KiB of an endless answer and cancels the rest', async () => {
  let code: number | undefined
  const host = await startHost((stream) => {
    stream.respond({ ':status': 500, 'content-type': 'text/html' })
    const pour = () => {
      while (!stream.destroyed && stream.write('x'.repeat(1000)));
    }
    stream.on('drain', pour)
    stream.on('close', () => (code = stream.rstCode))
    pour()
  })
  const pool = openTestPool({ origin: host.origin })
  const answer = await pool.request(post('/'))
  expect(answer).toMatchObject({ kind: 'answer', status: 500, body: 'x'.repeat(64 * 1024) })
  await until(
    () => code,
    (value) => value === constants.NGHTTP2_CANCEL,
  )
})

it('does not wait for a body that drips beyond the deadline', async () => {
  const time = stopTime()
  const host = await startHost((stream, path) => {
    if (path === '/quick') return answerOk(stream)
    stream.respond({ ':status': 503, 'retry-after': '7' })
    stream.write('.')
    const timer = setInterval(() => stream.write('.'), 20)
    stream.on('close', () => clearInterval(timer))
  })
  const pool = openTestPool({ origin: host.origin, requestMs: 2_000 })
  const dripping = pool.request(post('/'))
  await pool.request(post('/quick'))
  await time.pass(2_500)
  const answer = await dripping
  expect(answer).toMatchObject({ kind: 'answer', status: 503, body: expect.stringMatching(/^\.+$/) })
  expect(answer.kind === 'answer' && answer.headers['retry-after']).toBe('7')
})

it('has an answer when the headers came and the body broke off', async () => {
  const host = await startHost((stream) => {
    stream.respond({ ':status': 400 })
    stream.write('{"error":', () => setTimeout(() => stream.close(constants.NGHTTP2_INTERNAL_ERROR), 20))
  })
  const pool = openTestPool({ origin: host.origin })
  expect(await pool.request(post('/'))).toMatchObject({ kind: 'answer', status: 400, body: '{"error":' })
})

it('passes HTML, empty bodies and broken UTF-8 on as they are', async () => {
  const bodies: Record<string, string | Buffer> = {
    '/html': '<html>Bad gateway</html>',
    '/empty': '',
    '/bytes': Buffer.from([0x61, 0xff, 0x62]),
  }
  const host = await startHost((stream, path) => {
    stream.respond({ ':status': 502 })
    stream.end(bodies[path])
  })
  const pool = openTestPool({ origin: host.origin })
  const bodyOf = async (path: string) => {
    const answer = await pool.request(post(path))
    return answer.kind === 'answer' ? answer.body : answer.detail
  }
  expect(await bodyOf('/html')).toBe('<html>Bad gateway</html>')
  expect(await bodyOf('/empty')).toBe('')
  expect(await bodyOf('/bytes')).toBe('a\ufffdb')
})

it('takes the final answer and not what came before it', async () => {
  const host = await startHost((stream) => {
    stream.additionalHeaders({ ':status': 103 })
    answerOk(stream)
  })
  const pool = openTestPool({ origin: host.origin })
  expect(statusOf(await pool.request(post('/')))).toBe(200)
})

it('takes an answer that comes before the whole request was read', async () => {
  const time = stopTime()
  const host = await startHost((stream, path) => {
    if (path === '/quick') return answerOk(stream)
    stream.pause()
    stream.respond({ ':status': 413 }, { endStream: true })
  })
  const pool = openTestPool({ origin: host.origin, requestMs: 2_000 })
  const answer = pool.request(post('/', 'x'.repeat(1_000_000)))
  await pool.request({ method: 'GET', path: '/quick', headers: {} })
  await time.pass(2_500)
  expect(statusOf(await answer)).toBe(413)
})
