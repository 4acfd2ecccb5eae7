import { once } from 'node:events'
import { type IncomingMessage, request as openRequest } from 'node:http'
import { Worker } from 'node:worker_threads'
import { checker, toUsers } from '@peyk/contract'
import { readTold } from '@peyk/server/base/bus/carrier.ts'
import { limits } from '@peyk/server/base/config.ts'
import { RequestError } from '@peyk/server/base/errors.ts'
import { openPool } from '@peyk/server/base/http-client/open-pool.ts'
import { callOnce } from '@peyk/server/base/outbound/call-once.ts'
import { readFrames, writeFrame } from '@peyk/server/base/store/backup/backup-frames.ts'
import { PacketReader } from '@peyk/server/entry/connection/packets/packet-reader.ts'
import { checkText } from '@peyk/server/entry/http/read/check-text.ts'
import { parseForm } from '@peyk/server/entry/http/read/forms/parse-form.ts'
import { findTemplateFault } from '@peyk/server/features/messages/rendering/template-engine.ts'
import { CodeLines } from '@peyk/server/features/promo/code-lines.ts'
import { readTarget } from '@peyk/server/features/segments/read/read-target.ts'
import { CsvReader } from '@peyk/server/features/transfer/import/csv-reader.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { createTestServer } from '../helpers/service/test-server.ts'

/** Writes the table of docs/about/security.md: the most expensive input of each parser that we know. */
const rows: string[] = []
afterAll(() => void process.stdout.write(`${rows.sort().join('\n')}\n`))

const leastRounds = 3
const mostRounds = 100
const leastTotalMs = 100
const { baseUrl, token } = await createTestServer()

/** Of this thread: what collects garbage beside it, and who sends from another thread, do not count. */
async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

/** The mean of as many rounds as the clock needs. */
async function meanMs(work: () => unknown): Promise<number> {
  await work()
  let total = 0
  let rounds = 0
  while (rounds < leastRounds || (total < leastTotalMs && rounds < mostRounds)) {
    total += await cpuMs(work)
    rounds++
  }
  return total / rounds
}

function note(parser: string, input: string, bytes: number, ms: number): void {
  const perKb = ((ms * 1_000) / (bytes / 1_024)).toFixed(1)
  rows.push(`| ${parser} | ${input} | ${Math.ceil(bytes / 1_024)} | ${ms.toFixed(1)} | ${perKb} |`)
}

const KIB = 1_024
/** Of a body of 1 MiB, with room for what stands around it. */
const almostMib = 1_020 * KIB
const fill = (bytes: number, part: (index: number) => string, separator = ''): string => {
  const parts: string[] = []
  for (let length = 0, index = 0; ; index++) {
    const text = part(index)
    length += text.length + separator.length
    if (length > bytes) return parts.join(separator)
    parts.push(text)
  }
}
const times = (count: number, part: (index: number) => string) =>
  Array.from({ length: Math.floor(count) }, (_, index) => part(index)).join('&')

interface Case {
  parser: string
  input: string
  /** The largest input that is accepted; with a share, one of that share of its size. */
  make(share: number): string
  read(text: string): unknown
}

const isBody = checker(toUsers.body as NonNullable<typeof toUsers.body>)
function readJson(text: string): void {
  const value: unknown = JSON.parse(text)
  checkText(text, value)
  isBody(value)
}

function readPackets(bytesAtOnce: number): (text: string) => void {
  return (text) => {
    const bytes = Buffer.from(text, 'latin1')
    const reader = new PacketReader({ onPacket: () => {}, onMalformed: (error) => expect(error).toBeUndefined() })
    for (let at = 0; at < bytes.length; at += bytesAtOnce) reader.read(bytes.subarray(at, at + bytesAtOnce))
  }
}

function subscribe(bytes: number): string {
  const body = `\0\x01${fill(bytes, () => '\0\x01a\x01')}`
  const length = [(body.length & 0x7f) | 0x80, ((body.length >> 7) & 0x7f) | 0x80, body.length >> 14]
  return `\x82${String.fromCharCode(...length)}${body}`
}

async function readBackup(text: string): Promise<void> {
  async function* chunks() {
    const bytes = Buffer.from(text, 'latin1')
    for (let at = 0; at < bytes.length; at += 64 * KIB) yield bytes.subarray(at, at + 64 * KIB)
  }
  let bodyBytes = 0
  for await (const { body } of readFrames(chunks())) bodyBytes += body.length
  expect(bodyBytes).toBeGreaterThan(0)
}

/** As many chunks as a body of these bytes may have. */
async function sendInChunks(text: string): Promise<void> {
  const chunks = text.match(/[\s\S]{1,64}/g) as string[]
  const headers = { 'x-access-token': token, 'content-type': 'application/json' }
  const request = openRequest(`${baseUrl}/api/push/toUsers`, { method: 'POST', headers })
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject)
  })
  for (const chunk of chunks) request.write(chunk)
  request.end()
  const response = (await answered).resume()
  expect(response.statusCode).toBe(400)
  await once(response, 'close')
}

function upload(content: string): Promise<unknown> {
  const form = new FormData()
  form.append('file', new File([content], 'codes.csv'))
  const headers = { 'x-access-token': token }
  return fetch(`${baseUrl}/api/containers/updateGlobalPromoCodes`, { method: 'POST', headers, body: form }).then(
    (answer) => answer.text(),
  )
}

const form = (input: string, make: Case['make']): Case => ({ parser: 'form', input, make, read: parseForm })
const json = (input: string, make: Case['make']): Case => ({ parser: 'JSON body', input, make, read: readJson })
const message = (field: string) => `{"user":"a","content":"x",${field}}`
const cases: Case[] = [
  form('one list, indexes from the highest', (share) => times(10_000 * share, (index) => `a[${9_999 - index}]=1`)),
  form('lists within lists', (share) => times(2_500 * share, (index) => `a[${index}]${'[]'.repeat(30)}=1`)),
  form('most parameters', (share) => times(20_000 * share, (index) => `a${index}=1`)),
  form('most parts of names', (share) => times(20_000 * share, (index) => `a[${index.toString(36)}x][b][]=1`)),
  form('encoded texts', (share) => times(20_000 * share, (index) => `a${index}=${'%E2%82%AC+'.repeat(4)}`)),
  form('encoded names and texts', (share) =>
    times(20_000 * share, (index) => `%61%62%63%64%65%66%67%68%69%70${index}[%E2%82%AC]=%E2`),
  ),
  form('a name that is brackets', (share) => `a${'[]['.repeat(300 * KIB * share)}`),
  {
    parser: 'preference page',
    input: 'most parameters',
    make: (share) => fill(16 * KIB * share, () => 'a=%41', '&'),
    read: (text) => new URLSearchParams(text),
  },
  json('small objects, and an escape', (share) =>
    message(`"data":{"a":"\\u0041","b":[${fill(almostMib * share, () => '{"a":1}', ',')}]}`),
  ),
  json('as many names', (share) =>
    message(`"data":{${fill(almostMib * share, (index) => `"${index.toString(36)}x":1`, ',')}}`),
  ),
  json('most users, all wrong', (share) =>
    message(`"users":[${times(10_000 * share, () => '{}').replaceAll('&', ',')}]`),
  ),
  json('runs of digits', (share) => message(`"data":{"a":"${fill(almostMib * share, () => `${'1'.repeat(199)} `)}"}`)),
  json('a list where an object is expected', (share) => message(`"data":[${fill(almostMib * share, () => '0', ',')}]`)),
  json('an object in a text', (share) =>
    message(`"data":${JSON.stringify(`{"a":[${fill(almostMib * share, () => '[]', ',')}]}`)}`),
  ),
  json('escapes', (share) => message(`"data":{"a":"${fill(almostMib * share, () => '\\u0041')}"}`)),
  {
    parser: 'chunks of a request',
    input: 'as many as may be (with the CPU of its sender)',
    make: (share) => fill(1_020 * KIB * share, () => ' '.repeat(63), '\n'),
    read: sendInChunks,
  },
  {
    parser: 'multipart',
    input: 'what almost ends a part (with the CPU of its sender)',
    make: (share) => fill(4 * 1_024 * KIB * share, () => '\r\n--\r\n-----'),
    read: upload,
  },
  {
    parser: 'CSV of codes',
    input: 'shortest codes',
    make: (share) => fill(1_024 * KIB * share, () => 'A\n'),
    read: (text) => new CodeLines().push(Buffer.from(text)),
  },
  ...[
    '{{a}}',
    '{{user.a}}',
    '{{a.b[c.d]}}',
    '{{a|b:c,d:e}}',
    '{{a|upcase|downcase}}',
    '{%if a%}b{%endif%}',
    '{{',
    '{%if a%}',
  ].map((part) => ({
    parser: 'Liquid',
    input: `\`${part.replaceAll('|', '\\|')}\` repeated`,
    make: (share: number) => fill(20_000 * share, () => part),
    read: findTemplateFault,
  })),
  {
    parser: 'segment',
    input: 'most values of rules',
    make: (share) =>
      JSON.stringify({
        or: Array.from({ length: 13 * share + 1 }, () => ({ userId: { inq: Array(9_000).fill('abcde') } })),
      }),
    read: (text) => readTarget(JSON.parse(text)),
  },
  {
    parser: 'MQTT',
    input: 'SUBSCRIBE to short topics',
    make: (share) => subscribe(limits.packetBytes * share - 10),
    read: readPackets(64 * KIB),
  },
  {
    parser: 'MQTT',
    input: 'the same, 100 bytes at a time',
    make: (share) => subscribe(limits.packetBytes * share - 10),
    read: readPackets(100),
  },
  {
    parser: 'MQTT',
    input: 'PINGREQ',
    make: (share) => '\xc0\0'.repeat(128 * KIB * share),
    read: readPackets(64 * KIB),
  },
  {
    parser: 'NATS message',
    input: 'small objects',
    make: (share) => `["a",[${fill(almostMib * share, () => '{"a":1}', ',')}]]`,
    read: (text) => readTold(text, () => {}),
  },
  {
    parser: 'import, CSV',
    input: 'quotation marks within cells',
    make: (share) => `a,b\n${fill(1_000 * KIB * share, () => '"""""""",""\n')}`,
    read: (text) => new CsvReader(1_048_576).push(text),
  },
  {
    parser: 'import, CSV',
    input: 'one cell as long as a line may be, in parts',
    make: (share) => `a\n"${fill(1_000 * KIB * share, () => '""')}"\n`,
    read: (text) => {
      const reader = new CsvReader(1_048_576)
      const part = Math.ceil(text.length / 4)
      for (let at = 0; at < text.length; at += part) reader.push(text.slice(at, at + part))
    },
  },
  {
    parser: 'backup',
    input: 'one frame as long as may be',
    make: (share) =>
      Buffer.concat([...writeFrame('D', Buffer.alloc(16 * 1_024 * KIB * share, 'x'))]).toString('latin1'),
    read: readBackup,
  },
  {
    parser: 'backup',
    input: 'shortest frames',
    make: (share) =>
      Buffer.concat([...writeFrame('D', Buffer.from('x'))])
        .toString('latin1')
        .repeat(100_000 * share),
    read: readBackup,
  },
]

const linear = 4
/** Four times the input: a cost that grows with its square would be 16 times as high. */
const mostGrowth = 10
/** Below that, the clock and the compiler say more than the parser. */
const leastMs = 20

describe('what an input costs grows with its bytes', () => {
  it.each(cases)('$parser: $input', async ({ parser, input, make, read }) => {
    const attempt = async (text: string) => {
      try {
        await read(text)
      } catch (error) {
        if (!(error instanceof RequestError)) throw error
      }
    }
    const whole = make(1)
    const part = make(1 / linear)
    const wholeMs = await meanMs(() => attempt(whole))
    const partMs = await meanMs(() => attempt(part))
    note(parser, input, Buffer.byteLength(whole), wholeMs)
    if (wholeMs > leastMs) expect(wholeMs / partMs).toBeLessThan(mostGrowth)
  })
})

const pouringHost = `
const { parentPort, workerData } = require('node:worker_threads')
const { createServer } = require('node:net')
const { greeting, first, repeated } = workerData
const part = Buffer.from(repeated.repeat(Math.ceil(65536 / repeated.length)), 'latin1')
const server = createServer((socket) => {
  let heard = 0
  socket.on('error', () => {})
  socket.write(Buffer.from(greeting, 'latin1'))
  const pour = () => { while (!socket.destroyed && socket.write(part)); }
  socket.on('drain', pour)
  socket.on('data', ({ length }) => {
    heard += length
    if (heard < 100) return
    heard = -Infinity
    socket.write(Buffer.from(first, 'latin1'))
    pour()
  })
})
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
`

/** A host in a thread of its own that never stops sending. */
async function withHost(
  host: { greeting?: string; first: string; repeated: string },
  use: (origin: string) => Promise<unknown>,
) {
  const worker = new Worker(pouringHost, { eval: true, workerData: { greeting: '', ...host } })
  const port = await new Promise<number>((resolve) => worker.once('message', resolve))
  try {
    return await cpuMs(() => use(`http://127.0.0.1:${port}`))
  } finally {
    await worker.terminate()
  }
}

const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
const frame = (type: number, flags: number, streamId: number, payload = '') =>
  String.fromCharCode(0, payload.length >> 8, payload.length & 255, type, flags, 0, 0, 0, streamId) + payload
const begun = frame(1, 4, 1, '\x88')
const settings = frame(4, 0, 0)

describe('what a host may send costs so much until it is cut off', () => {
  it.each([
    ['interim responses', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
    ['chunks of one byte', chunked, '1\r\nx\r\n'],
    ['extensions of chunks', chunked, `1;a=${'b'.repeat(8_000)}\r\nx\r\n`],
    ['headers', 'HTTP/1.1 200 OK\r\n', 'a: b\r\n'],
  ])('HTTP/1.1 response: %s', async (input, first, repeated) => {
    const ms = await withHost({ first, repeated }, (origin) =>
      callOnce(origin, { method: 'POST', body: 'x'.repeat(100), localOrigins: [origin], timeoutMs: 60_000 }),
    )
    rows.push(`| HTTP/1.1 response | ${input} | endless | ${ms.toFixed(1)} | |`)
  })

  it.each([
    ['empty data', begun, frame(0, 0, 1)],
    ['data of one byte', begun, frame(0, 0, 1, 'x')],
    ['settings', '', frame(4, 0, 0)],
    ['long settings', '', frame(4, 0, 0, '\0\x04\0\0\0\x01'.repeat(2_000))],
    ['pings', '', frame(6, 0, 0, '12345678')],
    ['windows', '', frame(8, 0, 0, '\0\0\0\x01')],
    ['unknown frames', '', frame(190, 0, 0, 'x'.repeat(16_000))],
  ])('HTTP/2 response: %s, with 1,000 requests', async (input, first, repeated) => {
    const ms = await withHost({ greeting: settings, first, repeated }, async (origin) => {
      const pool = openPool({ origin, maxConnections: 1, requestMs: 60_000 })
      const request = { method: 'POST', path: '/', headers: {}, body: 'x'.repeat(4_000) } as const
      await Promise.race(Array.from({ length: 1_000 }, () => pool.request(request)))
      await pool.close()
    })
    rows.push(`| HTTP/2 responses | ${input} | endless | ${ms.toFixed(1)} | |`)
  })
})
