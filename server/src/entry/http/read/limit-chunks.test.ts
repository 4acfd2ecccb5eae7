import { connect } from 'node:net'
import { createTestServer } from '@peyk/test/service/test-server.ts'
import { afterEach, expect, it } from 'vitest'

const { baseUrl, token } = await createTestServer()

afterEach(async () => {
  expect((await fetch(`${baseUrl}/health`)).status).toBe(200)
})

interface Sent {
  path: string
  type: string
  /** One part for each chunk. */
  chunks: Iterable<string>
}

/** The answer to a body that is sent in these chunks. */
function send({ path, type, chunks }: Sent): Promise<string> {
  const { host, port } = new URL(baseUrl)
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${host}`,
    `Origin: ${baseUrl}`,
    `X-Access-Token: ${token}`,
    `Content-Type: ${type}`,
    'Transfer-Encoding: chunked',
    'Connection: close',
  ]
  const body = [...chunks].map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')
  return new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1')
    let answer = ''
    socket.on('data', (data) => {
      answer += data
    })
    // A service that has answered closes the connection, whatever is still on its way to it.
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer))
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}0\r\n\r\n`)
  })
}

const cut = (text: string, length: number) => text.match(new RegExp(`[^]{1,${length}}`, 'g')) as string[]
const message = JSON.stringify({ user: 'u', content: 'x', data: { a: 'y'.repeat(3_000) } })
const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="codes.csv"\r\n\r\n'

it.each([
  ['JSON', '/api/push/toUsers', 'application/json', ''],
  ['a form', '/api/installations', 'application/x-www-form-urlencoded', 'a='],
  ['a file', '/api/containers/updateGlobalPromoCodes', 'multipart/form-data; boundary=b', part],
  ['an image', '/api/images', 'image/png', ''],
  ['the panel', '/panel/api/session', 'application/json', ''],
  ['the page of preferences', '/preferences/x', 'application/x-www-form-urlencoded', ''],
])('a body in thousands of chunks of one byte is refused: %s', async (_what, path, type, start) => {
  const answer = await send({ path, type, chunks: start + 'x'.repeat(10_000) })
  expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({
    error: { code: 'too-large', message: 'The body comes in too many chunks of a few bytes.' },
  })
})

it.each([
  ['in chunks of one byte', cut(message, 1)],
  ['in thousands of longer ones', cut(`${' '.repeat(640_000)}${message}`, 64)],
])('a body is read whole %s', async (_how, chunks) => {
  const answer = await send({ path: '/api/push/toUsers', type: 'application/json', chunks })
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
})
