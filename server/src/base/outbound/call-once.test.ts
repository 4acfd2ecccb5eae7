import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createServer as createPlainServer, type Socket } from 'node:net'
import { createCertificate } from '@peyk/simulator/providers/certificate.ts'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { listen, stopTime } from '../http-client/host.test-support.ts'
import type { PoolAnswer } from '../http-client/pool.ts'
import { callOnce, type OneCall } from './call-once.ts'

let own: { key: string; certificate: string }
beforeAll(async () => {
  own = await createCertificate(new Date())
})

async function startHost(onRequest: (request: IncomingMessage, response: ServerResponse) => void) {
  const origin = `http://127.0.0.1:${await listen(createServer(onRequest))}`
  const call = (path: string, options: Partial<OneCall> = {}) =>
    callOnce(`${origin}${path}`, { method: 'POST', localOrigins: [origin], ...options })
  return { origin, call }
}

it('makes one call and brings the answer back', async () => {
  const host = await startHost((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      const { host: name, 'x-a': value, 'content-length': length } = request.headers
      response.writeHead(202, { 'x-seen': [request.method, request.url, name, value, length].join(' ') }).end(body)
    })
  })
  const answer = await host.call('/hook?a=1', { headers: { 'x-a': 'b' }, body: 'سلام' })
  expect(answer).toMatchObject({ kind: 'answer', status: 202, body: 'سلام' })
  const name = new URL(host.origin).host
  expect(answer.kind === 'answer' && answer.headers['x-seen']).toBe(`POST /hook?a=1 ${name} b 8`)
  const bare = await host.call('/', { method: 'GET' })
  expect(bare.kind === 'answer' && bare.headers['x-seen']).toBe(`GET / ${name}`)
})

it('follows no redirect', async () => {
  const host = await startHost((_request, response) =>
    response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  )
  expect(await host.call('/')).toMatchObject({ kind: 'answer', status: 302 })
})

it('speaks TLS with the address it was given, checks the certificate for the name, and sends that name', async () => {
  const server = createSecureServer({ key: own.key, cert: own.certificate }, (request, response) =>
    response.end(request.headers.host),
  )
  const port = await listen(server)
  const call = (host: string, options: Partial<OneCall> = {}) =>
    callOnce(`https://${host}:${port}/`, { method: 'GET', address: '127.0.0.1', ca: own.certificate, ...options })
  expect(await call('localhost')).toMatchObject({ kind: 'answer', status: 200, body: `localhost:${port}` })
  expect(await call('other.example.com')).toEqual({
    kind: 'not-sent',
    detail: 'the certificate is not trusted: it is for another host',
  })
  expect(await callOnce(`https://localhost:${port}/`, { method: 'GET' })).toEqual({
    kind: 'not-sent',
    detail: 'the certificate is not trusted: it is signed by itself',
  })
})

it('does not call without TLS, but for the origins it was given', async () => {
  let calls = 0
  const host = await startHost((_request, response) => {
    calls++
    response.end()
  })
  const refused = { kind: 'not-sent', detail: 'the URL must begin with https://' }
  expect(await host.call('/', { localOrigins: [] })).toEqual(refused)
  expect(await host.call('/', { localOrigins: ['http://127.0.0.1:1'] })).toEqual(refused)
  expect(await callOnce('file:///etc/passwd', { method: 'GET' })).toEqual(refused)
  expect(await callOnce('nonsense', { method: 'GET' })).toEqual({ kind: 'not-sent', detail: 'the URL cannot be read' })
  expect(calls).toBe(0)
})

it('ends after its deadline wherever it hangs', async () => {
  const time = stopTime()
  const steps = new EventEmitter()
  const host = await startHost((request, response) => {
    steps.emit('asked')
    if (request.url !== '/drips') return
    response.writeHead(200)
    response.write('.')
    const timer = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(timer))
  })
  const note = () => void steps.emit('begun')
  subscribe('http.client.response.finish', note)
  onTestFinished(() => void unsubscribe('http.client.response.finish', note))
  const mute = createPlainServer(() => void steps.emit('connected'))
  const port = await listen(mute)
  /** What the call ends with when it has come so far and its time has passed. */
  const outcomeOf = async (step: string, call: () => Promise<PoolAnswer>) => {
    const reached = once(steps, step)
    const outcome = call()
    await reached
    await time.pass(10_000)
    return outcome
  }
  const timeoutMs = 10_000
  expect(await outcomeOf('asked', () => host.call('/never', { timeoutMs }))).toEqual({
    kind: 'unclear',
    detail: 'no answer within 10 s',
  })
  expect(await outcomeOf('begun', () => host.call('/drips', { timeoutMs }))).toMatchObject({
    kind: 'answer',
    status: 200,
    body: expect.stringMatching(/^\.*$/),
  })
  const hanging = () => callOnce(`https://localhost:${port}/`, { method: 'GET', timeoutMs })
  expect(await outcomeOf('connected', hanging)).toEqual({ kind: 'not-sent', detail: 'no connection within 10 s' })
})

it('takes of a long answer what it was told to take', async () => {
  const host = await startHost((_request, response) => {
    const pour = () => {
      while (!response.destroyed && response.write('x'.repeat(1000)));
    }
    response.on('drain', pour)
    pour()
  })
  expect(await host.call('/', { maxBytes: 5_000 })).toMatchObject({ kind: 'answer', body: 'x'.repeat(5_000) })
})

const interim = 'HTTP/1.1 103 Early Hints\r\nx: y\r\n\r\n'
const beginning = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'

/** A host that sends a beginning, then repeats a text for as long as anybody reads. */
async function callEndless(first: string, repeated: string, maxBytes?: number) {
  const part = repeated.repeat(Math.ceil(10_000 / repeated.length))
  const server = createPlainServer((socket) => {
    const pour = () => {
      while (!socket.destroyed && socket.write(part));
    }
    socket.on('drain', pour)
    socket.once('data', () => {
      socket.write(first)
      pour()
    })
  })
  const origin = `http://127.0.0.1:${await listen(server)}`
  return callOnce(origin, {
    method: 'POST',
    body: '{}',
    localOrigins: [origin],
    timeoutMs: 5_000,
    ...(maxBytes && { maxBytes }),
  })
}

it('accepts two interim responses, and ends at the third', async () => {
  expect(await callEndless(interim + interim + beginning, '5\r\nabcde\r\n', 10)).toMatchObject({
    status: 200,
    body: 'abcdeabcde',
  })
  const refused = { kind: 'unclear', detail: 'the other side sent too many interim responses' }
  expect(await callEndless(interim + interim + interim + beginning, '5\r\nabcde\r\n')).toEqual(refused)
  expect(await callEndless('', interim)).toEqual(refused)
  expect(await callEndless('', 'HTTP/1.1 100 Continue\r\n\r\n')).toEqual(refused)
})

it.each([
  ['one byte a chunk', '1\r\nx\r\n', 4_096],
  ['seventeen bytes a chunk', `11\r\n${'x'.repeat(17)}\r\n`, 65_536],
])('takes at most 4,096 chunks of an answer: %s', async (_what, chunk, length) => {
  expect(await callEndless(beginning, chunk)).toMatchObject({ status: 200, body: 'x'.repeat(length) })
})

it('counts the bytes on the socket, with those that frame the chunks', async () => {
  const outcome = await callEndless(beginning, `1;a=${'b'.repeat(8_000)}\r\nx\r\n`)
  expect(outcome).toMatchObject({ status: 200, body: expect.stringMatching(/^x{1,30}$/) })
})

it('reads at most 16 KiB of headers', async () => {
  const outcome = await callEndless('HTTP/1.1 200 OK\r\n', 'x: y\r\n')
  expect(outcome).toMatchObject({ kind: 'unclear' })
  const trailers = await callEndless(`${beginning}1\r\nx\r\n0\r\n`, 'x: y\r\n')
  expect(trailers).toMatchObject({ status: 200 })
})

it.each([
  ['nothing', (socket: Socket) => socket.end()],
  ['a reset', (socket: Socket) => socket.resetAndDestroy()],
  ['no HTTP', (socket: Socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')],
  ['half a header', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-le')],
])('calls it unclear when it is answered with %s', async (_name, answer) => {
  const server = createPlainServer((socket) => socket.once('data', () => answer(socket)))
  const origin = `http://127.0.0.1:${await listen(server)}`
  const outcome = await callOnce(origin, { method: 'POST', body: '{}', localOrigins: [origin] })
  expect(outcome.kind).toBe('unclear')
})

it('says what is wrong when the call cannot be made', async () => {
  const refused = { kind: 'not-sent', detail: 'connection refused' }
  expect(await callOnce('https://127.0.0.1:9/', { method: 'GET' })).toEqual(refused)
  const host = await startHost((_request, response) => response.end())
  const bad = await host.call('/', { headers: { 'x-a': 'a\r\nb: c' } })
  expect(bad.kind === 'not-sent' && bad.detail).toMatch(/^the request is not valid/)
})
