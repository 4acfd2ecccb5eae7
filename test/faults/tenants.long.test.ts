import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { realEndpoints } from '@peyk/server/base/external.ts'
import { Client } from 'pg'
import sql from 'sql-template-tag'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { createTestApp, createTestToken, testExternal } from '../helpers/database/test-store.ts'
import { until } from '../helpers/runner/until.ts'
import { caller, createTestServer } from '../helpers/service/test-server.ts'

/** Somebody outside who is asked and answers only when the test says so. */
async function startSilentHost() {
  let waiting: ServerResponse[] = []
  let asked = 0
  const server = createServer((request, response) => {
    request.resume()
    asked++
    waiting.push(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const answer = (body: object = {}) => {
    for (const response of waiting)
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    waiting = []
  }
  return { origin, countAsked: () => asked, answer }
}

const gateway = await startSilentHost()
const external = {
  ...testExternal,
  webhooksMayBeLocal: true,
  real: { ...realEndpoints, twilio: gateway.origin, localOrigins: [gateway.origin] },
}
const transferMs = 4_000
const { baseUrl, store, ctx, call, token } = await createTestServer({
  external,
  env: { PEYK_TEST_DURATIONS: JSON.stringify({ transferMs }) },
})
const other = await createTestApp(store, { external })
const otherToken = await createTestToken(other)
const callOther = caller(baseUrl, otherToken)

/** Of those who wait for an answer from outside none has one open, however long it is looked at. */
async function countOpenTransactions(): Promise<number> {
  const rows = await store.query(sql`
    select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`)
  return rows.length
}

async function addSilentWebhook() {
  const host = await startSilentHost()
  const { body } = await call('POST', '/api/webhooks', { url: `${host.origin}/hook`, events: ['user.new'] })
  return { host, path: `/api/webhooks/${body.id}/test` }
}

it('forty webhooks that do not answer take nothing from another app', async () => {
  const { host, path } = await addSilentWebhook()
  const tests = Array.from({ length: 40 }, (_, index) =>
    index % 2 === 0
      ? call('POST', path, undefined, { 'idempotency-key': `many-${index}` })
      : call('POST', path, { idempotencyKey: `many-${index}` }),
  )
  await until(host.countAsked, (count) => count === 40)
  await until(countOpenTransactions, (count) => count === 0)
  expect((await callOther('PUT', '/api/app', { name: 'Not held up' })).status).toBe(200)
  host.answer()
  for (const { status, body } of await Promise.all(tests)) expect({ status, ...body }).toMatchObject({ status: 200 })
  const again = await call('POST', path, undefined, { 'idempotency-key': 'many-0' })
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(again.body).toEqual((await tests[0])?.body)
  expect(host.countAsked()).toBe(40)
})

it('a provider that does not answer takes nothing from another app', async () => {
  const accountSid = `AC${'0'.repeat(32)}`
  const credentials = { kind: 'twilio', accountSid, authToken: '1'.repeat(32), from: '+15005550006' }
  const before = gateway.countAsked()
  const sets = Array.from({ length: 20 }, (_, index) =>
    call(
      'PUT',
      '/api/providers/sms',
      { ...credentials, idempotencyKey: undefined },
      { 'idempotency-key': `set-${index}` },
    ),
  )
  await until(gateway.countAsked, (count) => count === before + 20)
  await until(countOpenTransactions, (count) => count === 0)
  expect((await callOther('GET', '/api/app')).status).toBe(200)
  gateway.answer({ sid: accountSid, status: 'active' })
  for (const { status } of await Promise.all(sets)) expect(status).toBe(200)
  const check = call('POST', '/api/providers/sms/check', undefined, { 'idempotency-key': 'check' })
  await until(gateway.countAsked, (count) => count === before + 21)
  await until(countOpenTransactions, (count) => count === 0)
  gateway.answer({ sid: accountSid, status: 'active' })
  expect(await check).toMatchObject({ status: 200, body: { ok: true } })
})

it('five copies of a request that calls outwards call once; the others are told to wait', async () => {
  const { host, path } = await addSilentWebhook()
  const headers = { 'idempotency-key': 'five' }
  const copies = Array.from({ length: 5 }, () => call('POST', path, undefined, headers))
  const first = await Promise.race(copies)
  expect(first).toMatchObject({ status: 409, body: { error: { code: 'still-running' } } })
  expect(first.headers.get('retry-after')).toBe('1')
  let answered = 0
  for (const copy of copies) void copy.then(() => answered++)
  await until(
    () => answered,
    (count) => count === 4,
  )
  await until(host.countAsked, (count) => count === 1)
  host.answer()
  const statuses = (await Promise.all(copies)).map(({ status }) => status)
  expect(statuses.sort()).toEqual([200, 409, 409, 409, 409])
  expect(host.countAsked()).toBe(1)
})

it('the key of a request that a crash cut off is free again after a while', async () => {
  const { host, path } = await addSilentWebhook()
  const route = 'POST /api/webhooks/:id/test'
  await store.query(sql`
    insert into idempotency_claims (app_id, route, key, holder) values (${ctx.app.id}, ${route}, 'cut', gen_random_uuid())`)
  expect((await call('POST', path, undefined, { 'idempotency-key': 'cut' })).status).toBe(409)
  await store.query(sql`update idempotency_claims set claimed_at = now() - interval '61 seconds' where key = 'cut'`)
  const freed = call('POST', path, undefined, { 'idempotency-key': 'cut' })
  await until(host.countAsked, (count) => count === 1)
  host.answer()
  expect((await freed).status).toBe(200)
  expect(await store.query(sql`select from idempotency_claims`)).toEqual([])
})

it('a call that fails gives its key back', async () => {
  const headers = { 'idempotency-key': 'failing' }
  const body = { url: 'https://192.168.0.1/', events: ['user.new'] }
  expect((await call('POST', '/api/webhooks', body, headers)).status).toBe(400)
  expect((await call('POST', '/api/webhooks', body, headers)).status).toBe(400)
  expect(await store.query(sql`select from idempotency_claims`)).toEqual([])
})

it("one app's slow requests leave connections of the database to another", async () => {
  const { store, ctx, baseUrl, call } = await createTestServer({ patienceMs: 10_000 })
  const callOther = caller(baseUrl, await createTestToken(await createTestApp(store)))
  const blocker = new Client({ connectionString: store.url })
  await blocker.connect()
  onTestFinished(() => blocker.end())
  await blocker.query('begin')
  await blocker.query(`select from apps where app_id = ${ctx.app.id} for update`)
  const slow = Array.from({ length: 40 }, (_, index) => call('PUT', '/api/app', { name: `Slow ${index}` }))
  // Those that find no connection of their app's share are told so; the others still wait for the lock.
  const turnedAway = await Promise.race(slow)
  expect(turnedAway).toMatchObject({ status: 503, body: { error: { code: 'store-busy' } } })
  expect(turnedAway.headers.get('retry-after')).toBe('2')
  expect((await callOther('PUT', '/api/app', { name: 'Not held up either' })).status).toBe(200)
  await blocker.query('rollback')
  const statuses = new Set((await Promise.all(slow)).map(({ status }) => status))
  expect([...statuses].sort()).toEqual([200, 503])
  expect((await call('PUT', '/api/app', { name: 'Quick again' })).status).toBe(200)
})

const filePart =
  '--cut\r\nContent-Disposition: form-data; name="file"; filename="codes.csv"\r\nContent-Type: text/csv\r\n\r\n'

/** Sends the beginning of a file and then one code after another, slowly. */
async function startSlowUpload(): Promise<{ socket: Socket; received: () => string }> {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString()
  })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const body = `${filePart}${'C-1\nC-0\n'.repeat(20_000)}`
  socket.write(
    `POST /api/containers/updateGlobalPromoCodes HTTP/1.1\r\nHost: x\r\nX-Access-Token: ${token}\r\n` +
      `Content-Type: multipart/form-data; boundary=cut\r\nContent-Length: 100000000\r\n\r\n${body}`,
  )
  const trickle = setInterval(() => socket.writable && socket.write('D-1\n'), transferMs / 10)
  onTestFinished(() => {
    clearInterval(trickle)
    socket.destroy()
  })
  return { socket, received: () => text }
}

it("one app's slow uploads do not hold up another's, and are cut off", async () => {
  const uploads = await Promise.all([startSlowUpload(), startSlowUpload(), startSlowUpload()])
  const form = new FormData()
  form.append('file', new Blob(['A\nB\n'], { type: 'text/csv' }), 'codes.csv')
  const response = await fetch(`${baseUrl}/api/containers/updateGlobalPromoCodes`, {
    method: 'POST',
    headers: { 'x-access-token': otherToken },
    body: form,
  })
  expect(await response.json()).toMatchObject({ promoSetId: other.app.label, totalRows: 2 })
  for (const { received } of uploads) {
    expect(await until(received, (text) => text.includes('}}'))).toMatch(/^HTTP\/1.1 408 [\s\S]*"request-timeout"/)
  }
  expect(await store.query(sql`select from promo_sets where app_id = ${ctx.app.id}`)).toEqual([])
})
