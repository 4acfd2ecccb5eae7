import { createHash } from 'node:crypto'
import type { Settings } from 'node:http2'
import { createServer } from 'node:net'
import { until } from '@peyk/test/runner/until.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { listen, openTestPool, post, startHost, statusOf } from '../host.test-support.ts'
import { frame, ok, settings, startBareHost, text } from './bare-host.test-support.ts'
import {
  CONTINUATION,
  DATA,
  GOAWAY,
  HEADERS,
  PING,
  PUSH_PROMISE,
  RST_STREAM,
  SETTINGS,
  WINDOW_UPDATE,
} from './frames.ts'

const plain = [frame(HEADERS, 4, 1, ok), frame(DATA, 1, 1, 'fine')]
const padded = [
  frame(HEADERS, 4 | 8 | 0x20, 1, [2, 0, 0, 0, 0, 9, ...ok, 0, 0]),
  frame(DATA, 1 | 8, 1, '\x03fine\0\0\0'),
]
const unusual: [string, Buffer[]][] = [
  ['plainly', plain],
  ['with padding and a priority', padded],
  [
    'with headers in three parts',
    [frame(HEADERS, 0, 1), frame(CONTINUATION, 0, 1, ok), frame(CONTINUATION, 4, 1), plain[1] as Buffer],
  ],
  ['with a size for the table', [frame(HEADERS, 4, 1, [0x20, 0x3f, 0xe1, 0x1f, ...ok]), plain[1] as Buffer]],
  ['after an announcement', [frame(HEADERS, 4, 1, [0x08, ...text('103')]), ...plain]],
  [
    'with more headers at its end',
    [plain[0] as Buffer, frame(DATA, 0, 1, 'fine'), frame(HEADERS, 5, 1, [0, ...text('x'), ...text('y')])],
  ],
  ['with an empty end', [plain[0] as Buffer, frame(DATA, 0, 1, 'fi'), frame(DATA, 0, 1, 'ne'), frame(DATA, 1, 1)]],
  ['among frames of kinds that nobody knows', [frame(0xbe, 0xff, 1, 'grease'), ...plain, frame(10, 0, 0, 'altsvc')]],
  [
    'among settings, pings and windows',
    [
      frame(SETTINGS, 0, 0, [0, 9, 0, 0, 0, 1]),
      frame(PING, 0, 0, '12345678'),
      frame(WINDOW_UPDATE, 0, 0, [0, 0, 1, 0]),
      ...plain,
    ],
  ],
]

it.each(unusual)('takes an answer that comes %s, also byte by byte', async (_how, said) => {
  for (const bytesAtOnce of [Number.POSITIVE_INFINITY, 7, 1]) {
    const pool = await startBareHost(said, bytesAtOnce)
    expect(await pool.request(post('/'))).toMatchObject({ kind: 'answer', status: 200, body: 'fine' })
  }
})

/** A header of 4,000 bytes that is put into the table, and then named by its number. */
const bomb = [0x40, ...text('x'), 0x7f, 0xa1, 0x1e, ...Buffer.alloc(4_000, 'y'), ...Buffer.alloc(5_000, 0xbe)]
const broken: [string, Buffer[]][] = [
  ['a frame that is too long', [frame(DATA, 0, 1, Buffer.alloc(16_385))]],
  ['data of a stream that was not opened', [frame(DATA, 0, 3, 'x')]],
  ['headers of a stream that is ours to open', [frame(HEADERS, 4, 2, ok)]],
  ['something else in the middle of headers', [frame(HEADERS, 0, 1), frame(PING, 0, 0, '12345678')]],
  ['the end of headers that have not begun', [frame(CONTINUATION, 4, 1, ok)]],
  [
    'headers without an end',
    Array.from({ length: 10 }, (_, at) => frame(at === 0 ? HEADERS : CONTINUATION, 0, 1, Buffer.alloc(16_000))),
  ],
  [
    'very many parts of headers',
    Array.from({ length: 5_000 }, (_, at) => frame(at === 0 ? HEADERS : CONTINUATION, 0, 1)),
  ],
  ['headers that become very large', [frame(HEADERS, 4, 1, bomb)]],
  ['a header that is not in the table', [frame(HEADERS, 4, 1, [0xff, 0x20])]],
  ['a header without a number', [frame(HEADERS, 4, 1, [0x80])]],
  ['a header that ends early', [frame(HEADERS, 4, 1, [0x40, 5, 0x61])]],
  ['a number without an end', [frame(HEADERS, 4, 1, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])]],
  ['a code of Huffman that is the end', [frame(HEADERS, 4, 1, [0x40, 1, 0x61, 0x84, 0xff, 0xff, 0xff, 0xff])]],
  ['a code of Huffman that breaks off', [frame(HEADERS, 4, 1, [0x40, 1, 0x61, 0x81, 0x00])]],
  ['a table that is larger than allowed', [frame(HEADERS, 4, 1, [0x3f, 0xe2, 0x1f])]],
  ['more padding than there is', [frame(DATA, 8, 1, [5, 0, 0])]],
  ['a push', [frame(PUSH_PROMISE, 4, 1, [0, 0, 0, 2])]],
  ['settings that are cut off', [frame(SETTINGS, 0, 0, [0, 1, 0])]],
  ['a ping that is too short', [frame(PING, 0, 0, 'x')]],
  ['a window that is too large', [frame(WINDOW_UPDATE, 0, 0, [0x7f, 0xff, 0xff, 0xff])]],
  ['a window that widens by nothing', [frame(WINDOW_UPDATE, 0, 0, [0, 0, 0, 0])]],
  ['a window of a stream that widens by nothing', [frame(WINDOW_UPDATE, 0, 1, [0, 0, 0, 0])]],
  ['a window of a stream that was not opened', [frame(WINDOW_UPDATE, 0, 3, [0, 0, 0, 1])]],
  ['a reset without a reason', [frame(RST_STREAM, 0, 1)]],
  ['a goodbye that is cut off', [frame(GOAWAY, 0, 0, [0, 0])]],
]

it.each(broken)('ends a connection on which comes %s', async (_what, said) => {
  const pool = await startBareHost(said)
  expect(statusOf(await pool.request(post('/')))).toBe('unclear: the other side does not keep to HTTP/2')
  await until(
    () => pool.connections,
    (count) => count === 0,
  )
})

it('ends a request whose answer has no status', async () => {
  const pool = await startBareHost([frame(HEADERS, 5, 1, [0, ...text('x'), ...text('y')])])
  expect(statusOf(await pool.request(post('/')))).toBe('unclear: the other side does not keep to HTTP/2')
  expect(pool.connections).toBe(1)
})

it('does not let itself be kept busy by a host that reads nothing', async () => {
  const ping = Buffer.concat(Array.from({ length: 4_000 }, () => frame(PING, 0, 0, '12345678')))
  const server = createServer((socket) => {
    socket.write(settings)
    socket.once('data', () => {
      socket.pause()
      const pour = () => {
        while (!socket.destroyed && socket.write(ping));
      }
      socket.on('drain', pour)
      pour()
    })
  })
  const pool = openTestPool({ origin: `http://127.0.0.1:${await listen(server)}` })
  expect(statusOf(await pool.request(post('/')))).toMatch(/^unclear: the (other side|connection)/)
})

it('survives whatever comes', async () => {
  const someFrame = fc
    .tuple(fc.nat(10), fc.nat(255), fc.constantFrom(0, 1, 1, 2, 3), fc.uint8Array({ maxLength: 40 }))
    .map(([type, flags, streamId, payload]) => frame(type, flags, streamId, Buffer.from(payload)))
  await fc.assert(
    fc.asyncProperty(fc.array(someFrame, { maxLength: 20 }), async (said) => {
      const pool = await startBareHost([...said, frame(GOAWAY, 0, 0, [0, 0, 0, 0, 0, 0, 0, 2])])
      const answer = await pool.request(post('/'))
      expect(['answer', 'unclear', 'not-sent']).toContain(answer.kind)
      await pool.close()
      expect(pool.connections).toBe(0)
    }),
    { numRuns: 100 },
  )
})

it('sends bodies of any length as the host takes them, whatever it says of its windows meanwhile', async () => {
  const given = fc.array(fc.tuple(fc.nat(200_000), fc.constantFrom(1, 1_000, 65_535, 1_000_000)), {
    minLength: 1,
    maxLength: 8,
  })
  await fc.assert(
    fc.asyncProperty(given, fc.constantFrom<Settings>({}, { initialWindowSize: 100 }), async (all, first) => {
      const host = await startHost((stream) => {
        const hash = createHash('sha1')
        stream.on('data', (part) => hash.update(part))
        stream.on('end', () => {
          stream.respond({ ':status': 200 })
          stream.end(hash.digest('hex'))
        })
      }, first)
      const pool = openTestPool({ origin: host.origin, maxConnections: 1 })
      const answers = all.map(async ([length, initialWindowSize], number) => {
        const body = String(number).repeat(length)
        const answer = pool.request({ ...post('/'), body: number % 2 ? body : Buffer.from(body) })
        host.sessions[0]?.settings({ initialWindowSize })
        expect(await answer).toMatchObject({ status: 200, body: createHash('sha1').update(body).digest('hex') })
      })
      await Promise.all(answers)
    }),
    { numRuns: 8 },
  )
})

it('acknowledges a wider window before it sends into it', async () => {
  const window = (bytes: number) => frame(SETTINGS, 0, 0, [0, 4, 0, 0, bytes >> 8, bytes & 0xff])
  const heard: string[] = []
  const server = createServer((socket) => {
    socket.write(window(10))
    let rest = Buffer.alloc(0)
    let isGreeting = true
    socket.on('data', (part) => {
      rest = Buffer.concat([rest, part])
      if (isGreeting) rest = rest.subarray(24)
      isGreeting = false
      while (rest.length >= 9 && rest.length >= 9 + rest.readUIntBE(0, 3)) {
        const [length, kind, flags] = [rest.readUIntBE(0, 3), rest[3], rest[4] as number]
        rest = rest.subarray(9 + length)
        if (kind === SETTINGS && flags & 1) heard.push('acknowledgement')
        if (kind !== DATA) continue
        heard.push(`${length} bytes`)
        socket.write(flags & 1 ? Buffer.concat(plain) : window(1_000))
      }
    })
  })
  const pool = openTestPool({ origin: `http://127.0.0.1:${await listen(server)}`, maxConnections: 1 })
  expect(await pool.request({ ...post('/'), body: 'x'.repeat(100) })).toMatchObject({ kind: 'answer', body: 'fine' })
  expect(heard).toEqual(['acknowledgement', '10 bytes', 'acknowledgement', '90 bytes'])
})
