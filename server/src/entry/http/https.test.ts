import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, type RequestOptions, request } from 'node:https'
import { connect as connectPlain } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { createCertificate } from '@peyk/simulator/providers/certificate.ts'
import { clientIdOf, connectClient, leaveMessage, openConnectionServer } from '@peyk/test/connection.ts'
import { createTestApp, createTestStore, createTestToken } from '@peyk/test/database/test-store.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { registerInstallation } from '#features/installations/register/register-installation.ts'

const folder = await mkdtemp(join(tmpdir(), 'peyk-https-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const { key, certificate } = await createCertificate(new Date())
const env = { PEYK_TLS_CERT: join(folder, 'cert.pem'), PEYK_TLS_KEY: join(folder, 'key.pem') }
await writeFile(env.PEYK_TLS_CERT, certificate)
await writeFile(env.PEYK_TLS_KEY, key)

const store = await createTestStore()
const service = await openConnectionServer(store, env)
const ctx = await createTestApp(store)
const [token, clientKey] = [await createTestToken(ctx), await createTestToken(ctx, ['client'])]
const { port } = new URL(service.baseUrl)

async function ask(path: string, options: RequestOptions & { body?: string } = {}) {
  const { body, ...rest } = options
  const sent = request(`https://localhost:${port}${path}`, { ca: certificate, host: '127.0.0.1', ...rest }).end(body)
  const [answer] = await once(sent, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk)
  return { status: answer.statusCode as number, body: Buffer.concat(chunks).toString() }
}

async function rawAnswer(text: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port: Number(port), ca: certificate, servername: 'localhost' })
  socket.write(text)
  let answer = ''
  for await (const chunk of socket) answer += chunk
  return answer
}

describe('the HTTP port with a certificate', () => {
  it('says so in its address, and answers over TLS only', async () => {
    expect(service.baseUrl).toMatch(/^https:/)
    expect(await ask('/health')).toMatchObject({ status: 200 })
    const headers = { 'x-access-token': token, 'content-type': 'application/json' }
    const sent = { method: 'POST', headers, body: '{"user":"ali","content":"hi"}' }
    expect(await ask('/api/push/toUsers', sent)).toMatchObject({ status: 200 })
    await expect(ask('/health', { ca: undefined })).rejects.toThrow(/self-signed|certificate/)
    const plain = connectPlain({ host: '127.0.0.1', port: Number(port) })
    plain.on('error', () => undefined)
    plain.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n')
    let answer = ''
    plain.on('data', (chunk) => {
      answer += chunk
    })
    await once(plain, 'close')
    expect(answer).not.toContain('HTTP/1.1 200')
  })

  it('answers broken requests in the same shape', async () => {
    expect(await rawAnswer('GARBAGE\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 .*malformed-http/s)
    expect(await rawAnswer(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 .*headers-too-large/s,
    )
    expect(await rawAnswer('GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 .*malformed-http/s,
    )
  })

  it('carries the own connection over WebSocket', async () => {
    const { id } = await registerInstallation(ctx, { deviceType: 'android', userId: 'sara', isGuest: false })
    const clientId = clientIdOf(ctx, { id, userId: 'sara' })
    const url = `wss://localhost:${port}/mqtt`
    const client = await connectClient(url, { clientId, key: clientKey, wsOptions: { ca: certificate } })
    const messageId = await leaveMessage(ctx, id)
    await poll(() => client.received.map(({ body }) => body.id)).toEqual([messageId])
    await expect(connectClient(url, { clientId, key: clientKey })).rejects.toThrow(/self-signed|certificate/)
  })

  it('refuses a WebSocket as it does without one', async () => {
    const key = await createTestToken(await createTestApp(store), ['client'], ['https://shop.example'])
    const socket = new WebSocket(`wss://localhost:${port}/mqtt?access_token=${key}`, ['mqtt'], {
      ca: certificate,
      origin: 'https://evil.example',
    })
    socket.on('error', () => undefined)
    const [, answer] = await once(socket, 'unexpected-response')
    expect(answer.statusCode).toBe(403)
    answer.destroy()
  })
})

describe('a service with a certificate that stops', () => {
  it('finishes what is under way and closes what is idle', async () => {
    const own = await createTestStore()
    const closing = await openConnectionServer(own, env)
    const { port: ownPort } = new URL(closing.baseUrl)
    const agent = new Agent({ keepAlive: true, ca: certificate })
    const idle = request({ host: '127.0.0.1', servername: 'localhost', port: ownPort, path: '/health', agent }).end()
    const [answer] = await once(idle, 'response')
    answer.resume()
    await once(answer, 'end')
    await closing.close()
    agent.destroy()
    await expect(fetch(`${closing.baseUrl}/health`)).rejects.toThrow()
  })
})
