import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import multipart from '@fastify/multipart'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import { waitLimitMs } from '@peyk/test/runner/wait-limit.ts'
import { fastify } from 'fastify'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { limits } from '#base/config.ts'
import { activeCodes, countRows, createCampaign } from '#features/promo/promo.test-support.ts'
import { replaceCampaignCodes } from '#features/promo/replace-campaign-codes.ts'
import { replaceGlobalCodes } from '#features/promo/replace-global-codes.ts'
import { errorBody, readError } from '../answer/answer-error.ts'
import { withPromoFile } from './promo-file.ts'
import { UnknownNames } from './unknown-names.ts'

const store = await createTestStore()

/** A service that takes promo files and nothing else, for an app of its own. */
async function createService() {
  const ctx = await createTestApp(store)
  await createCampaign(ctx, 'spring')
  const app = fastify()
  await app.register(multipart, {
    limits: { files: 2, fields: 20, fileSize: limits.promoFileBytes, headerPairs: 50 },
    throwFileSizeLimit: true,
  })
  let requests = 0
  app.addHook('onRequest', async () => {
    requests++
  })
  app.setErrorHandler((error, request, reply) => {
    const fault = readError(error)
    if (!request.raw.complete) reply.header('connection', 'close')
    reply.status(fault.status).send(errorBody(fault, request.id))
  })
  app.post('/global', (request, reply) =>
    withPromoFile(ctx, { query: {}, unknown: new UnknownNames('report'), request, reply }, (inner, given) =>
      replaceGlobalCodes(inner, given),
    ),
  )
  app.post<{ Params: { trackId: string } }>('/campaign/:trackId', (request, reply) =>
    withPromoFile(ctx, { query: {}, unknown: new UnknownNames('report'), request, reply }, (inner, given) =>
      replaceCampaignCodes(inner, { ...given, ...request.params }),
    ),
  )
  const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
  afterAll(() => app.close())

  async function post(path: string, body: FormData | string | Buffer, headers: Record<string, string> = {}) {
    const signal = AbortSignal.timeout(waitLimitMs)
    const response = await fetch(baseUrl + path, { method: 'POST', body: body as never, headers, signal })
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
    return { status: response.status, body: (await response.json()) as any, headers: response.headers }
  }
  return { ctx, post, port: Number(new URL(baseUrl).port), countRequests: () => requests }
}

function form(...parts: [name: string, text: string, fileName?: string][]): FormData {
  const data = new FormData()
  for (const [name, text, fileName] of parts) {
    if (fileName === undefined) data.append(name, text)
    else data.append(name, new Blob([text], { type: 'text/csv' }), fileName)
  }
  return data
}

const head = (path: string, extra: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=cut\r\n${extra}\r\n`
const filePart =
  '--cut\r\nContent-Disposition: form-data; name="file"; filename="codes.csv"\r\nContent-Type: text/csv\r\n\r\n'

async function openSocket(port: number): Promise<{ socket: Socket; received: () => string }> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString()
  })
  socket.on('error', () => undefined)
  // An upload that waits for its client would keep every other test's database from being dropped.
  onTestFinished(() => void socket.destroy())
  await new Promise((resolve) => socket.once('connect', resolve))
  return { socket, received: () => text }
}

/** How many uploads hold a transaction at this moment. */
async function countUploads(): Promise<number> {
  const rows = await store.query(sql`
    select from pg_stat_activity where datname = current_database() and state = 'active' and query like 'copy promo_%'`)
  return rows.length
}

describe('a promo file', () => {
  it('comes in the part "file", whatever else is in the form', async () => {
    const { ctx, post } = await createService()
    const answer = await post(
      '/global',
      form(['note', 'before'], ['file', 'A\nB\nA\n', 'codes.csv'], ['note', 'after']),
    )
    expect(answer).toMatchObject({ status: 200, body: { promoSetId: ctx.app.label, totalRows: 3, duplicates: 1 } })
    expect(await activeCodes(ctx)).toEqual(['A', 'B'])
  })

  it('may come without a file name', async () => {
    const { ctx, post } = await createService()
    expect(await post('/global', form(['file', 'A\nB\n']))).toMatchObject({ status: 200, body: { totalRows: 2 } })
    expect(await activeCodes(ctx)).toEqual(['A', 'B'])
  })

  it.each([
    ['in another part', form(['codes', 'A\n', 'codes.csv']), 'invalid-file', 'part "codes"'],
    ['in no part', form(['note', 'A']), 'invalid-file', 'missing'],
    ['twice', form(['file', 'A\n', 'a.csv'], ['file', 'B\n', 'b.csv']), 'invalid-file', 'two files'],
    ['beside another file', form(['file', 'A\n', 'a.csv'], ['other', 'B\n', 'b.csv']), 'invalid-file', 'two files'],
    ['empty', form(['file', '', 'codes.csv']), 'invalid-file', 'empty'],
    ['under the name of a prototype', form(['__proto__', 'A\n', 'codes.csv']), 'invalid-file', ''],
    [
      'behind too many fields',
      form(...Array.from({ length: 25 }, (): [string, string] => ['x', 'y']), ['file', 'A\n', 'a.csv']),
      'too-large',
      '',
    ],
  ])('is refused when it comes %s', async (_title, body, code, message) => {
    const { ctx, post } = await createService()
    await post('/global', form(['file', 'OLD\n', 'codes.csv']))
    const answer = await post('/global', body)
    expect(answer.body.error).toMatchObject({ code, message: expect.stringContaining(message) })
    expect(answer.status).toBe(code === 'too-large' ? 413 : 400)
    expect(await activeCodes(ctx)).toEqual(['OLD'])
  })

  it.each([
    ['text', 'A\n', { 'content-type': 'text/csv' }, 415],
    ['multipart without a boundary', 'A\n', { 'content-type': 'multipart/form-data' }, 400],
    ['multipart that has none of its boundaries', 'A\n', { 'content-type': 'multipart/form-data; boundary=cut' }, 400],
    [
      'multipart that ends in the file',
      `${filePart}A\nB\n`,
      { 'content-type': 'multipart/form-data; boundary=cut' },
      400,
    ],
    [
      'multipart that ends after the file',
      `${filePart}A\r\n--cut\r\n`,
      { 'content-type': 'multipart/form-data; boundary=cut' },
      400,
    ],
    [
      'a part without a name',
      '--cut\r\nContent-Disposition: form-data; filename="x"\r\n\r\nA\r\n--cut--\r\n',
      { 'content-type': 'multipart/form-data; boundary=cut' },
      400,
    ],
    [
      'multipart that ends in the headers of the file',
      '--cut\r\nContent-Disposition: form-data; name="file"; filename=codes\r\nA\nB\n\r\n--cut--\r\n',
      { 'content-type': 'multipart/form-data; boundary=cut' },
      400,
    ],
    [
      'multipart that ends in the headers of a part after the file',
      `${filePart}A\r\n--cut\r\nContent-Disposition: form-data; name="note"\r\nx\r\n--cut--\r\n`,
      { 'content-type': 'multipart/form-data; boundary=cut' },
      400,
    ],
    ['an empty body', '', { 'content-type': 'multipart/form-data; boundary=cut' }, 400],
    [
      'compressed',
      gzipSync('A\n'),
      { 'content-type': 'multipart/form-data; boundary=cut', 'content-encoding': 'gzip' },
      415,
    ],
  ])('is refused as %s', async (_title, body, headers, status) => {
    const { ctx, post } = await createService()
    const answer = await post('/global', body, headers)
    expect(answer.status).toBe(status)
    expect(answer.body.error.requestId).toEqual(expect.any(String))
    expect(await countRows(ctx, 'promo_sets')).toBe(0)
  })

  it('is answered with 404 for an unknown campaign, although the client is still sending', async () => {
    const { port } = await createService()
    const { socket, received } = await openSocket(port)
    const block = 'C-123456\n'.repeat(10_000)
    socket.write(head('/campaign/none', 'Transfer-Encoding: chunked\r\n'))
    const chunk = (text: string) => socket.write(`${text.length.toString(16)}\r\n${text}\r\n`)
    chunk(filePart)
    for (let sent = 0; sent < 50; sent++) chunk(block)
    chunk('\r\n--cut--\r\n')
    socket.write('0\r\n\r\n')
    await poll(received).toContain('Invalid userPush id')
    expect(received()).toMatch(/^HTTP\/1.1 404 /)
    socket.destroy()
  })

  it('leaves the connection fit for the next request when it was refused', async () => {
    const { port } = await createService()
    const { socket, received } = await openSocket(port)
    const body = `${filePart}A\n!\n\r\n--cut--\r\n`
    const request = head('/global', `Content-Length: ${body.length}\r\n`) + body
    socket.write(request)
    await poll(() => received().match(/HTTP\/1.1 400 /g)).toHaveLength(1)
    socket.write(request)
    await poll(() => received().match(/HTTP\/1.1 400 /g)).toHaveLength(2)
    socket.destroy()
  })

  it('is refused with 413 when it is larger than is taken, and an endless one is cut off', async () => {
    const megabyte = Buffer.alloc(1024 * 1024, 'x')
    const limit = vi.spyOn(limits, 'promoFileBytes', 'get').mockReturnValue((16 * megabyte.length) as never)
    onTestFinished(() => limit.mockRestore())
    const { ctx, port } = await createService()
    const { socket, received } = await openSocket(port)
    socket.write(head('/global', `Content-Length: ${20 * megabyte.length}\r\n`) + filePart)
    const sent = await sendUntilClosed(socket, 19, megabyte)
    socket.write(megabyte.subarray(filePart.length))
    await poll(received).toMatch(/^HTTP\/1.1 413 /)
    expect(sent).toBe(19)
    socket.destroy()

    const endless = await openSocket(port)
    endless.socket.write(head('/global', `Content-Length: ${1_000 * megabyte.length}\r\n`) + filePart)
    // Taken, thrown away, and on the way.
    expect(await sendUntilClosed(endless.socket, 1_000, megabyte)).toBeLessThan(100)
    expect(await countRows(ctx, 'promo_sets')).toBe(0)
  })
})

async function sendUntilClosed(socket: Socket, times: number, bytes: Buffer): Promise<number> {
  const closed = once(socket, 'close').catch(() => undefined)
  let sent = 0
  for (; sent < times && !socket.destroyed; sent++) {
    if (!socket.write(bytes)) await Promise.race([once(socket, 'drain').catch(() => undefined), closed])
  }
  return sent
}

describe('a client that goes away', () => {
  it.each([
    ['in the head of the file', '--cut\r\nContent-Disposition: form-data; name="fi'],
    ['before the first code', filePart],
    [
      'in the middle of the codes, which are in order',
      filePart + Array.from({ length: 30_000 }, (_, index) => `C-${index + 10_000}\n`).join(''),
    ],
    [
      'in the middle of the codes, which are in no order',
      filePart + Array.from({ length: 30_000 }, (_, index) => `C-${index}\n`).join(''),
    ],
    ['after the file', `${filePart}A\r\n--cut\r\n`],
  ])('%s leaves the old set, and nothing behind', async (_title, sent) => {
    const { ctx, post, port } = await createService()
    await post('/global', form(['file', 'OLD\n', 'codes.csv']))
    const { socket } = await openSocket(port)
    socket.write(head('/global', 'Content-Length: 100000000\r\n') + sent)
    if (sent.length > 100_000) await poll(countUploads).toBe(1)
    socket.destroy()
    await poll(countUploads).toBe(0)
    expect(await activeCodes(ctx)).toEqual(['OLD'])
    for (let time = 0; time < 3; time++) {
      expect((await post('/global', form(['file', 'NEW\n', 'codes.csv']))).status).toBe(200)
    }
  })
})

describe('an idempotency key', () => {
  const key = { 'idempotency-key': 'upload-1' }

  it('answers the same file again without storing it again', async () => {
    const { ctx, post } = await createService()
    const first = await post('/campaign/spring', form(['file', 'A\nB\n', 'a.csv']), key)
    expect(first.status).toBe(200)
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    await post('/campaign/spring', form(['file', 'LATER\n', 'a.csv']))
    const second = await post('/campaign/spring', form(['file', 'A\nB\n', 'a.csv']), key)
    expect(second.status).toBe(200)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(second.body).toEqual(first.body)
    expect(await activeCodes(ctx, 'spring')).toEqual(['LATER'])
    expect(await countRows(ctx, 'promo_sets')).toBe(2)
  })

  it('may be a part before the file, not after it', async () => {
    const { post } = await createService()
    const before = () => form(['idempotencyKey', 'k'], ['file', 'A\n', 'a.csv'])
    expect((await post('/global', before())).status).toBe(200)
    expect((await post('/global', before())).headers.get('idempotency-replayed')).toBe('true')
    const after = await post('/global', form(['file', 'A\n', 'a.csv'], ['idempotencyKey', 'k']))
    expect(after).toMatchObject({ status: 400, body: { error: { code: 'invalid-request' } } })
  })

  it('is refused for another file, or another campaign', async () => {
    const { ctx, post } = await createService()
    await createCampaign(ctx, 'autumn')
    await post('/campaign/spring', form(['file', 'A\n', 'a.csv']), key)
    const reused = { status: 422, body: { error: { code: 'key-reused' } } }
    expect(await post('/campaign/spring', form(['file', 'B\n', 'a.csv']), key)).toMatchObject(reused)
    expect(await post('/campaign/autumn', form(['file', 'A\n', 'a.csv']), key)).toMatchObject(reused)
    const more = (...[first, second]: string[]) =>
      post('/campaign/spring', form(['a', String(first)], ['file', 'A\n', 'a.csv'], ['b', String(second)]), {
        'idempotency-key': 'upload-2',
      })
    expect(await more('x', 'y')).toMatchObject({ status: 200 })
    expect((await more('x', 'y')).headers.get('idempotency-replayed')).toBe('true')
    expect(await more('x', 'z')).toMatchObject(reused)
    expect(await more('z', 'y')).toMatchObject(reused)
    expect(await activeCodes(ctx, 'spring')).toEqual(['A'])
    expect(await activeCodes(ctx, 'autumn')).toEqual([])
  })

  it('is not used up by a file that was refused', async () => {
    const { ctx, post } = await createService()
    expect((await post('/global', form(['file', '!\n', 'a.csv']), key)).status).toBe(400)
    expect((await post('/global', form(['file', 'A\n', 'a.csv']), key)).status).toBe(200)
    expect(await activeCodes(ctx)).toEqual(['A'])
  })

  it('has one effect when the same file comes five times at once', async () => {
    const { ctx, post } = await createService()
    const text = Array.from({ length: 5_000 }, (_, index) => `C-${index}\n`).join('')
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => post('/global', form(['file', text, 'a.csv']), key)),
    )
    for (const { status } of answers) expect([200, 409]).toContain(status)
    expect(
      answers.filter(({ headers, status }) => status === 200 && !headers.has('idempotency-replayed')),
    ).toHaveLength(1)
    expect(await countRows(ctx, 'promo_sets')).toBe(1)
  })

  it('that is no key is refused', async () => {
    const { post } = await createService()
    const answer = await post('/global', form(['file', 'A\n', 'a.csv']), { 'idempotency-key': 'x'.repeat(256) })
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid-request' } } })
  })
})

describe('many uploads at once', () => {
  it('hold two connections of the database, while the others wait for their turn or go', async () => {
    const { ctx, port, countRequests } = await createService()
    const sockets = await Promise.all(Array.from({ length: 5 }, () => openSocket(port)))
    const body = `${filePart}${'C-1\nC-0\n'.repeat(20_000)}`
    const begin = ({ socket }: { socket: Socket }) =>
      socket.write(head('/global', `Content-Length: ${body.length + '\r\n--cut--\r\n'.length}\r\n`) + body)
    sockets.slice(0, 2).forEach(begin)
    await poll(countUploads).toBe(2)
    sockets.slice(2).forEach(begin)
    await poll(countRequests).toBe(5)
    expect(await countUploads()).toBe(2)
    sockets[3]?.socket.destroy()
    expect(await countUploads()).toBe(2)
    for (const { socket } of sockets) if (!socket.destroyed) socket.write('\r\n--cut--\r\n')
    for (const { socket, received } of sockets) {
      if (!socket.destroyed) await poll(received).toMatch(/^HTTP\/1.1 200 /)
      socket.destroy()
    }
    expect(await countRows(ctx, 'promo_sets')).toBe(4)
    expect(await activeCodes(ctx)).toEqual(['C-0', 'C-1'])
  })
})
