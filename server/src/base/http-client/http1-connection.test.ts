import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { Socket } from 'node:net'
import { createCertificate } from '@peyk/simulator/providers/certificate.ts'
import { until } from '@peyk/test/runner/until.ts'
import { beforeAll, expect, it } from 'vitest'
import { listen, openTestPool, post, sendMany, statusOf, stopTime } from './host.test-support.ts'

let own: { key: string; certificate: string }
beforeAll(async () => {
  own = await createCertificate(new Date())
})

/** A host that speaks HTTP/1.1 only, as some push services do. */
async function startOldHost(onRequest: (request: IncomingMessage, response: ServerResponse, body: string) => void) {
  const sockets = new Set<Socket>()
  const seen: string[] = []
  const server: Server = createServer({ key: own.key, cert: own.certificate, ALPNProtocols: ['http/1.1'] })
  server.on('secureConnection', (socket) => sockets.add(socket))
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    seen.push(request.url ?? '')
    let body = ''
    request.setEncoding('utf8').on('data', (part) => {
      body += part
    })
    request.on('end', () => onRequest(request, response, body))
  })
  return { origin: `https://localhost:${await listen(server)}`, sockets, seen }
}

it('falls back to HTTP/1.1 and keeps its connections', async () => {
  const host = await startOldHost((request, response, body) => {
    response.writeHead(201, { location: `${request.headers.host}${request.url}` }).end(`got ${body}`)
  })
  const pool = openTestPool({ origin: host.origin, ca: own.certificate, maxConnections: 3 })
  const answer = await pool.request(post('/a', 'سلام'))
  expect(answer).toMatchObject({ kind: 'answer', status: 201, body: 'got سلام' })
  expect(answer.kind === 'answer' && answer.headers.location).toBe(`${new URL(host.origin).host}/a`)
  expect(host.sockets.size).toBe(1)
  expect((await sendMany(pool, 200)).map(statusOf)).toEqual(Array(200).fill(201))
  expect(host.sockets.size).toBe(3)
  await pool.close()
  expect(pool.connections).toBe(0)
})

it('opens another connection after the host has closed one', async () => {
  const host = await startOldHost((_request, response) => {
    response.writeHead(200, { connection: 'close' }).end('{}')
  })
  const pool = openTestPool({ origin: host.origin, ca: own.certificate, maxConnections: 2 })
  const answers = await sendMany(pool, 20)
  expect(answers.map(statusOf)).toEqual(Array(20).fill(200))
  expect(host.sockets.size).toBe(20)
})

it('calls a request unclear when the line breaks or no answer comes, and goes on', async () => {
  const time = stopTime()
  const host = await startOldHost((request, response) => {
    if (request.url === '/reset') request.socket.destroy()
    else if (request.url !== '/never') response.end('ok')
  })
  const pool = openTestPool({ origin: host.origin, ca: own.certificate, requestMs: 2_000 })
  expect(statusOf(await pool.request(post('/')))).toBe(200)
  expect((await pool.request(post('/reset'))).kind).toBe('unclear')
  expect(statusOf(await pool.request(post('/')))).toBe(200)
  const never = pool.request(post('/never'))
  await until(
    () => host.seen,
    (seen) => seen.includes('/never'),
  )
  await time.pass(2_500)
  expect(statusOf(await never)).toBe('unclear: no answer in time')
  expect(statusOf(await pool.request(post('/')))).toBe(200)
  expect(host.seen).toEqual(['/', '/reset', '/', '/never', '/'])
})

it('takes the first 64 KiB of an endless answer, and what there is of a broken one', async () => {
  const host = await startOldHost((request, response) => {
    if (request.url === '/endless') {
      const pour = () => {
        while (!response.destroyed && response.write('x'.repeat(1000)));
      }
      response.on('drain', pour)
      pour()
    } else {
      response.writeHead(503, { 'content-length': '100' })
      response.write('half', () => request.socket.destroy())
    }
  })
  const pool = openTestPool({ origin: host.origin, ca: own.certificate })
  expect(await pool.request(post('/endless'))).toMatchObject({ kind: 'answer', body: 'x'.repeat(64 * 1024) })
  expect(await pool.request(post('/broken'))).toMatchObject({ kind: 'answer', status: 503, body: 'half' })
})

it('closes connections that are idle, and gives back what is not valid', async () => {
  const time = stopTime()
  const host = await startOldHost((_request, response) => response.end())
  const pool = openTestPool({ origin: host.origin, ca: own.certificate, idleMs: 1_000 })
  expect(statusOf(await pool.request(post('/')))).toBe(200)
  expect((await pool.request(post('/a b'))).kind).toBe('not-sent')
  await time.pass(10_000)
  await until(
    () => pool.connections,
    (value) => value === 0,
  )
  expect(statusOf(await pool.request(post('/')))).toBe(200)
})
