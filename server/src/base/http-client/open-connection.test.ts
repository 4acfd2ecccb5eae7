import { once } from 'node:events'
import { createSecureServer } from 'node:http2'
import { createServer } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { createCertificate } from '@peyk/simulator/providers/certificate.ts'
import { beforeAll, expect, it } from 'vitest'
import { answerOk, listen, openTestPool, post, sendMany, startHost, statusOf, stopTime } from './host.test-support.ts'

let own: { key: string; certificate: string }
let other: { key: string; certificate: string }
beforeAll(async () => {
  own = await createCertificate(new Date())
  other = await createCertificate(new Date())
})

async function startSecureHost({ key, certificate }: { key: string; certificate: string }) {
  const names: string[] = []
  const authorities: string[] = []
  const server = createSecureServer({
    key,
    cert: certificate,
    SNICallback: (name, done) => {
      names.push(name)
      done(null)
    },
  })
  server.on('sessionError', () => {})
  server.on('stream', (stream, headers) => {
    authorities.push(headers[':authority'] as string)
    answerOk(stream)
  })
  return { port: await listen(server), names, authorities }
}

it('speaks HTTP/2 over TLS with a host whose certificate it was told to trust', async () => {
  const host = await startSecureHost(own)
  const pool = openTestPool({ origin: `https://localhost:${host.port}`, ca: own.certificate })
  expect((await sendMany(pool, 50)).map(statusOf)).toEqual(Array(50).fill(200))
})

it('refuses a certificate that nobody vouches for, and says so', async () => {
  const host = await startSecureHost(own)
  const detail = 'not-sent: the certificate is not trusted: it is signed by itself'
  const untold = openTestPool({ origin: `https://localhost:${host.port}` })
  expect(statusOf(await untold.request(post('/')))).toBe(detail)
  const toldOther = openTestPool({ origin: `https://localhost:${host.port}`, ca: other.certificate })
  expect(statusOf(await toldOther.request(post('/')))).toMatch(/^not-sent: the certificate is not trusted/)
  expect(host.authorities).toEqual([])
})

it('refuses a certificate that is out of date or for another host', async () => {
  const old = await createCertificate(new Date('2000-01-01'))
  const oldHost = await startSecureHost(old)
  const oldPool = openTestPool({ origin: `https://localhost:${oldHost.port}`, ca: old.certificate })
  expect(statusOf(await oldPool.request(post('/')))).toBe('not-sent: the certificate is not trusted: it has expired')
  const host = await startSecureHost(own)
  const pool = openTestPool({
    origin: `https://push.example.com:${host.port}`,
    address: '127.0.0.1',
    ca: own.certificate,
  })
  expect(statusOf(await pool.request(post('/')))).toBe(
    'not-sent: the certificate is not trusted: it is for another host',
  )
  expect(host.names).toEqual(['push.example.com'])
  expect(host.authorities).toEqual([])
})

it('connects to the address it was given and keeps the name of the origin', async () => {
  const host = await startSecureHost(own)
  const pool = openTestPool({
    origin: `https://localhost:${host.port}`,
    address: '127.0.0.1',
    ca: own.certificate,
  })
  expect(statusOf(await pool.request(post('/')))).toBe(200)
  expect(host.names).toEqual(['localhost'])
  expect(host.authorities).toEqual([`localhost:${host.port}`])

  const plain = await startHost(answerOk)
  const pinned = openTestPool({ origin: `http://nowhere.invalid:${plain.port}`, address: '127.0.0.1' })
  expect(statusOf(await pinned.request(post('/')))).toBe(200)
})

it('accepts a certificate for an address when the origin is one', async () => {
  const host = await startSecureHost(own)
  const pool = openTestPool({ origin: `https://127.0.0.1:${host.port}`, ca: own.certificate })
  expect(statusOf(await pool.request(post('/')))).toBe(200)
})

it('never falls back to a line without TLS', async () => {
  let received = Buffer.alloc(0)
  const server = createServer((socket) => {
    socket.on('data', (part) => {
      received = Buffer.concat([received, part])
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
    })
  })
  const pool = openTestPool({ origin: `https://localhost:${await listen(server)}` })
  expect(statusOf(await pool.request(post('/secret')))).toBe('not-sent: the other side does not speak TLS')
  expect(received.toString('latin1')).not.toContain('/secret')
})

it('gives up on a host that takes the connection and says nothing', async () => {
  const time = stopTime()
  /** What becomes of a request when the host has got as far as it goes and 10 s have passed. */
  const outcomeOf = async (options: { origin: string; ca?: string }, hasCome: Promise<unknown>) => {
    const answer = openTestPool({ ...options, connectMs: 10_000 }).request(post('/'))
    await hasCome
    await time.pass(10_000)
    return statusOf(await answer)
  }
  const server = createServer((socket) => void socket.resume())
  const port = await listen(server)
  const spoken = async () => {
    const [socket] = await once(server, 'connection')
    await once(socket, 'data')
  }
  expect(await outcomeOf({ origin: `https://localhost:${port}` }, spoken())).toBe('not-sent: no connection within 10 s')
  const noHttp2 = 'not-sent: the other side does not answer in HTTP/2'
  expect(await outcomeOf({ origin: `http://127.0.0.1:${port}` }, spoken())).toBe(noHttp2)
  const { key, certificate } = own
  const greeter = createTlsServer({ key, cert: certificate, ALPNProtocols: ['h2'] }, (socket) => void socket.resume())
  const origin = `https://localhost:${await listen(greeter)}`
  const greeted = async () => {
    const [socket] = await once(greeter, 'secureConnection')
    await once(socket, 'data')
  }
  expect(await outcomeOf({ origin, ca: certificate }, greeted())).toBe(noHttp2)
})

it('says so when a host without TLS does not speak HTTP/2', async () => {
  const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  const pool = openTestPool({ origin: `http://127.0.0.1:${await listen(server)}` })
  expect(statusOf(await pool.request(post('/')))).toMatch(/^not-sent: the other side (does not keep to|closed)/)
})

it('says so when a name is not known or a certificate to trust cannot be read', async () => {
  const nowhere = openTestPool({ origin: 'https://nowhere.invalid' })
  expect(statusOf(await nowhere.request(post('/')))).toMatch(/^not-sent: the host name (is not known|could not)/)
  const host = await startSecureHost(own)
  const pool = openTestPool({ origin: `https://localhost:${host.port}`, ca: 'not a certificate' })
  expect((await pool.request(post('/'))).kind).toBe('not-sent')
})
