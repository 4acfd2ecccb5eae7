import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type Answer, createTestServer } from '../helpers/service/test-server.ts'

const { baseUrl, token } = await createTestServer()
const { port } = new URL(baseUrl)

/** Writes the bytes as they are and reads until the other side closes or has answered. */
function exchange(bytes: string | Buffer, keepOpen = false): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1')
    let answer = ''
    socket.setTimeout(30_000, () => socket.destroy(new Error('no answer')))
    socket.on('data', (chunk) => {
      answer += chunk
      if (answer.includes('\r\n\r\n')) socket.destroy()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
    socket.write(bytes)
    if (!keepOpen) socket.end()
  })
}

const head = (lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`
const path = '/api/push/toUsers'

afterEach(async () => {
  expect((await fetch(`${baseUrl}/health`)).status).toBe(200)
})

describe('HTTP that is not well-formed', () => {
  it.each([
    ['no HTTP at all', 'hello there\r\n\r\n', 400],
    ['binary rubbish', Buffer.from([0, 1, 2, 255, 254, 13, 10, 13, 10]), 400],
    ['a bad method', head(['GET? / HTTP/1.1', 'Host: x']), 400],
    ['a bad version', head(['GET / HTTP/9.9', 'Host: x']), 400],
    ['no Host', head(['GET /health HTTP/1.1']), 400],
    ['two Hosts', head(['GET /health HTTP/1.1', 'Host: a', 'Host: b']), 400],
    ['an absolute target', head(['GET http://evil.example/health HTTP/1.1', 'Host: x']), 400],
    ['a bad Content-Length', head([`POST ${path} HTTP/1.1`, 'Host: x', 'Content-Length: abc']), 400],
    ['two Content-Lengths', head([`POST ${path} HTTP/1.1`, 'Host: x', 'Content-Length: 5', 'Content-Length: 6']), 400],
    [
      'Content-Length and chunks',
      `${head([`POST ${path} HTTP/1.1`, 'Host: x', 'Content-Length: 5', 'Transfer-Encoding: chunked'])}0\r\n\r\n`,
      400,
    ],
    [
      'a bad chunk',
      `${head([`POST ${path} HTTP/1.1`, 'Host: x', `X-Access-Token: ${token}`, 'Content-Type: application/json', 'Transfer-Encoding: chunked'])}zz\r\n`,
      400,
    ],
    ['a header without a colon', head(['GET /health HTTP/1.1', 'Host: x', 'nonsense']), 400],
    ['a control character in a header', head(['GET /health HTTP/1.1', 'Host: x', 'X-A: a\x00b']), 400],
    ['headers that are too large', head(['GET /health HTTP/1.1', 'Host: x', `X-A: ${'a'.repeat(20_000)}`]), 431],
    [
      'thousands of headers',
      head(['GET /health HTTP/1.1', 'Host: x', ...Array.from({ length: 5000 }, (_, index) => `X-${index}: 1`)]),
      431,
    ],
    [
      'a target that is not percent-encoded',
      head(['GET /api/installations/addTag/u/%ZZ HTTP/1.1', 'Host: x', `X-Access-Token: ${token}`]),
      400,
    ],
    ['an unknown path with dots', head(['GET /api/../../etc/passwd HTTP/1.1', 'Host: x']), 404],
  ])('%s is refused', async (_title, bytes, status) => {
    const answer = await exchange(bytes, true)
    expect(answer.split('\r\n')[0]).toContain(` ${status} `)
    expect(answer).toContain('application/json')
  })

  it('a body that stops half-way stores nothing', async () => {
    await exchange(
      `${head([`POST ${path} HTTP/1.1`, 'Host: x', `X-Access-Token: ${token}`, 'Content-Type: application/json', 'Content-Length: 500'])}{"user":"half","content":`,
    )
    const found = await fetch(`${baseUrl}/api/messages?user=half`, { headers: { 'x-access-token': token } })
    const answer = (await found.json()) as Answer['body']
    expect(answer.data).toEqual([])
  })

  it('two thousand idle sockets leave room for a request', async () => {
    const sockets = Array.from({ length: 2000 }, () => connect(Number(port), '127.0.0.1'))
    for (const socket of sockets) socket.on('error', () => {})
    await Promise.all(
      sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve).once('error', resolve))),
    )
    expect((await fetch(`${baseUrl}/health`)).status).toBe(200)
    for (const socket of sockets) socket.destroy()
  })
})
