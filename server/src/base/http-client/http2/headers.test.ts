import { once } from 'node:events'
import type { OutgoingHttpHeaders } from 'node:http2'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { answerOk, openTestPool, post, startHost } from '../host.test-support.ts'

const names = ['x-a', 'x-long-name-of-a-header', 'etag', 'server', 'retry-after', 'authorization', 'content-type']
/** Every byte that a value may have, so that every code of Huffman's comes by. */
const character = fc.integer({ min: 0x21, max: 0xff }).filter((code) => code !== 0x7f)
const value = fc.oneof(
  fc.constantFrom('same', 'application/json', '1'),
  fc.array(character, { minLength: 1, maxLength: 40 }).map((codes) => String.fromCharCode(...codes)),
  fc.integer({ min: 1, max: 3_000 }).map((length) => 'v'.repeat(length)),
)
const headers = fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 5 }).map(Object.fromEntries)
const lists = fc.array(headers, { minLength: 1, maxLength: 40 })
const tableSize = fc.constantFrom(0, 100, 1_000, 4_096, 65_536)

it('reads what headers another HTTP/2 writes', async () => {
  let next: OutgoingHttpHeaders = {}
  const host = await startHost((stream) => stream.respond({ ':status': 200, ...next }, { endStream: true }))
  const pool = openTestPool({ origin: host.origin })
  await fc.assert(
    fc.asyncProperty(lists, async (all) => {
      for (next of all) {
        const answer = await pool.request({ method: 'GET', path: '/', headers: {} })
        const { date: _date, ...got } = answer.kind === 'answer' ? answer.headers : {}
        expect(got).toEqual(next)
      }
    }),
    { numRuns: 20 },
  )
  expect(host.sessions).toHaveLength(1)
})

it('writes headers that another HTTP/2 reads, whatever it keeps of them', async () => {
  let got: Record<string, unknown> = {}
  const host = await startHost(answerOk)
  const pool = openTestPool({ origin: host.origin, requestMs: 5_000 })
  await pool.request(post('/'))
  host.sessions[0]?.on('stream', (_stream, headers) => {
    got = Object.fromEntries(Object.entries(headers))
  })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(lists, tableSize), { maxLength: 4 }), async (phases) => {
      for (const [all, headerTableSize] of phases) {
        host.sessions[0]?.settings({ headerTableSize })
        await once(host.sessions[0] as NodeJS.EventEmitter, 'localSettings')
        for (const own of [...all, ...all.flatMap((each) => [each, each, each])]) {
          const path = `/${Object.keys(own).length}`
          expect(await pool.request({ method: 'POST', path, headers: own, body: 'é' })).toMatchObject({ status: 200 })
          expect(got).toEqual({
            ...own,
            ':method': 'POST',
            ':path': path,
            ':scheme': 'http',
            ':authority': `127.0.0.1:${host.port}`,
            'content-length': '2',
          })
        }
      }
    }),
    { numRuns: 20 },
  )
  expect(host.sessions).toHaveLength(1)
})

it('writes the headers of each request, whatever the one before had', async () => {
  const all: string[] = []
  const host = await startHost(answerOk)
  const pool = openTestPool({ origin: host.origin })
  await pool.request(post('/'))
  host.sessions[0]?.on('stream', (_stream, headers) => {
    all.push([':method', ':path', 'authorization', 'content-length'].map((name) => headers[name]).join(' '))
  })
  const headers = { authorization: 'Bearer one' }
  const write = (path: string, body: string | undefined, own: Record<string, string> = headers) =>
    pool.request({ method: 'POST', path, headers: own, ...(body !== undefined && { body }) })
  for (let round = 0; round < 3; round++) {
    await write('/a', 'long')
    await write('/a', 'س')
    await write('/b', undefined)
    await write('/b', '', { authorization: 'Bearer two' })
    expect(await write('/ b', '')).toMatchObject({ kind: 'not-sent' })
    expect(await write('/b', '', { authorization: 'a\0b' })).toMatchObject({ kind: 'not-sent' })
    await write('/a', 'x')
    await pool.request({ method: 'GET', path: '/a', headers })
    expect(all.splice(0)).toEqual([
      'POST /a Bearer one 4',
      'POST /a Bearer one 2',
      'POST /b Bearer one ',
      'POST /b Bearer two 0',
      'POST /a Bearer one 1',
      'GET /a Bearer one ',
    ])
  }
})

it('writes them anew when the host keeps fewer than it did', async () => {
  const host = await startHost(answerOk)
  const pool = openTestPool({ origin: host.origin, requestMs: 5_000 })
  const request = { ...post('/'), headers: { authorization: 'Bearer one', 'x-a': 'v' } }
  for (const headerTableSize of [4_096, 100, 0]) {
    for (let times = 0; times < 4; times++) expect(await pool.request(request)).toMatchObject({ status: 200 })
    host.sessions[0]?.settings({ headerTableSize })
    await once(host.sessions[0] as NodeJS.EventEmitter, 'localSettings')
  }
  expect(await pool.request(request)).toMatchObject({ status: 200 })
  expect(host.sessions).toHaveLength(1)
})

it('sends headers that are longer than a frame', async () => {
  const host = await startHost((stream) => stream.respond({ ':status': 200 }, { endStream: true }))
  const pool = openTestPool({ origin: host.origin })
  let got: unknown
  await pool.request(post('/'))
  host.sessions[0]?.on('stream', (_stream, { 'x-long': long }) => {
    got = long
  })
  const long = 'long '.repeat(8_000).trim()
  expect(await pool.request({ ...post('/'), headers: { 'x-long': long } })).toMatchObject({ status: 200 })
  expect(got).toBe(long)
})
