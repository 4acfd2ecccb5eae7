import { createHmac } from 'node:crypto'
import { type AddressInfo, createServer } from 'node:net'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import { beforeEach, expect, test } from 'vitest'
import type { OutwardContext } from '#base/context.ts'
import { traceHere } from '#base/trace/tracer.test-support.ts'
import { listAlerts } from '../../accounts/alerts/list-alerts.ts'
import { enableWebhook } from '../settings/enable-webhook.ts'
import { getWebhook } from '../settings/get-webhook.ts'
import { addWebhook, emitUsers, localExternal, startReceiver, whileTelling } from '../webhooks.test-support.ts'
import { takeCalls } from './calls-store.ts'
import { createCalls } from './create-calls.ts'
import { listWebhookAttempts } from './list-webhook-attempts.ts'
import { settleCalls } from './settle-calls.ts'

const store = await createTestStore()
let ctx: OutwardContext
beforeEach(async () => {
  await store.query(sql`update webhooks set disabled_at = now()`)
  ctx = await createTestApp(store, { external: localExternal })
})

const attempts = async (id: string) => (await listWebhookAttempts(ctx, { id })).data
const readCalls = (id: string) =>
  store.query<{ state: string; attempts: number; in_s: number }>(sql`
    select state, attempts, extract(epoch from available_at - now())::float8 as in_s from webhook_calls
    where app_id = ${ctx.app.id} and webhook_id = ${id} order by call_no`)
/** What still has to be told. */
const leftOver = (id: string) =>
  store.query(sql`
    select event_no from outbox where app_id = ${ctx.app.id}
    union all select call_no from webhook_calls where app_id = ${ctx.app.id} and webhook_id = ${id} and state = 'waiting'`)
const makeDue = (id: string) =>
  store.query(sql`update webhook_calls set available_at = now() where app_id = ${ctx.app.id} and webhook_id = ${id}`)

test('a receiver is told once, signed, in order', async () => {
  const { url, received } = await startReceiver()
  const { id, secret } = await addWebhook(ctx, url)
  await emitUsers(ctx, 3)
  await whileTelling(ctx, async () => {
    await poll(() => received.length).toBe(3)
    await poll(() => leftOver(id)).toEqual([])
  })
  expect(received.map(({ body }) => body.data.userId).toSorted()).toEqual(['u0', 'u1', 'u2'])
  const [{ headers, text, body }] = received as [(typeof received)[0]]
  expect(body).toEqual({
    id: expect.any(String),
    type: 'user.new',
    createdAt: expect.any(String),
    app: ctx.app.label,
    data: body.data,
  })
  expect(headers['peyk-webhook-id']).toBe(body.id)
  expect(headers['content-type']).toBe('application/json')
  expect(headers['user-agent']).toMatch(/^Peyk/)
  const signed = `${body.id}.${headers['peyk-webhook-timestamp']}.${text}`
  expect(headers['peyk-webhook-signature']).toBe(`v1=${createHmac('sha256', secret).update(signed).digest('hex')}`)
  expect(await attempts(id)).toHaveLength(3)
  expect(await store.query(sql`select from outbox where app_id = ${ctx.app.id}`)).toHaveLength(0)
})

test('every webhook that wants to know is told, and no other', async () => {
  const [first, second, other, foreign] = await Promise.all([
    startReceiver(),
    startReceiver(),
    startReceiver(),
    startReceiver(),
  ])
  await addWebhook(ctx, first.url)
  await addWebhook(ctx, second.url, ['promo.low', 'user.new'])
  await addWebhook(ctx, other.url, ['promo.low'])
  await addWebhook(await createTestApp(store, { external: localExternal }), foreign.url)
  await emitUsers(ctx, 2)
  await whileTelling(ctx, async () => {
    await poll(() => [first.received.length, second.received.length]).toEqual([2, 2])
  })
  expect([other.received, foreign.received]).toEqual([[], []])
})

test('a failure is tried again later, under the same id', async () => {
  const { url, received } = await startReceiver((_, response, calls) =>
    response.writeHead(calls.length === 1 ? 500 : 200).end('x'.repeat(100)),
  )
  const { id } = await addWebhook(ctx, url)
  await emitUsers(ctx, 1)
  await whileTelling(ctx, async () => {
    await poll(() => readCalls(id)).toMatchObject([{ state: 'waiting', attempts: 1 }])
    const [call] = await readCalls(id)
    expect(call?.in_s).toBeGreaterThan(0.7 * 3_600)
    expect(await getWebhook(ctx, { id })).toMatchObject({
      failingSince: expect.any(Number),
      waiting: 1,
      retryAt: expect.any(Number),
    })
    expect(received).toHaveLength(1)
    await makeDue(id)
    await poll(() => leftOver(id)).toEqual([])
  })
  expect(received[0]?.body).toEqual(received[1]?.body)
  expect(await getWebhook(ctx, { id })).toEqual(expect.not.objectContaining({ failingSince: expect.anything() }))
  expect(await attempts(id)).toMatchObject([
    { status: 200, detail: 'answered 200' },
    { status: 500, detail: expect.stringMatching(/^answered 500; next try in \d+ s$/) },
  ])
})

test('Retry-After is honoured', async () => {
  const { url } = await startReceiver((_, response) => response.writeHead(503, { 'retry-after': '7200' }).end())
  const { id } = await addWebhook(ctx, url)
  await emitUsers(ctx, 1)
  await whileTelling(ctx, () => poll(() => readCalls(id)).toMatchObject([{ attempts: 1 }]))
  expect((await readCalls(id))[0]?.in_s).toBeGreaterThan(1.5 * 3_600)
})

test('a redirect is a failure and is not followed', async () => {
  const target = await startReceiver()
  const { url } = await startReceiver((_, response) => response.writeHead(307, { location: target.url }).end())
  const { id } = await addWebhook(ctx, url)
  await emitUsers(ctx, 1)
  await whileTelling(ctx, () => poll(() => readCalls(id)).toMatchObject([{ attempts: 1, state: 'waiting' }]))
  expect(await attempts(id)).toMatchObject([{ status: 307, detail: expect.stringContaining('not followed') }])
  expect(target.received).toEqual([])
})

test('a receiver that hangs, closes or is not there fails without holding up another', async () => {
  const hanging = await startReceiver(() => undefined)
  const closing = await startReceiver((_, response) => response.socket?.destroy())
  const absent = { url: 'http://127.0.0.1:9/' }
  const healthy = await startReceiver()
  const bad = await Promise.all([hanging, closing, absent].map(({ url }) => addWebhook(ctx, url)))
  await addWebhook(ctx, healthy.url)
  await emitUsers(ctx, 40)
  await whileTelling(
    ctx,
    async () => {
      await poll(() => healthy.received.length).toBe(40)
      for (const { id } of bad) await poll(() => attempts(id)).not.toEqual([])
    },
    { timeoutMs: 1_000 },
  )
  for (const { id } of bad) {
    expect((await readCalls(id)).every(({ state }) => state === 'waiting')).toBe(true)
    expect((await attempts(id)).every(({ status }) => status === undefined)).toBe(true)
  }
  expect((await attempts((bad[0] as { id: string }).id))[0]?.detail).toContain('no answer within 1 s')
})

test('an endless answer is cut off and its status counts', async () => {
  const { url, received } = await startReceiver((_, response) => {
    response.writeHead(200)
    const more = () => {
      while (response.write('x'.repeat(64 * 1024)));
      response.once('drain', more)
    }
    more()
  })
  const { id } = await addWebhook(ctx, url)
  await emitUsers(ctx, 1)
  await whileTelling(ctx, () => poll(() => leftOver(id)).toEqual([]))
  expect(received).toHaveLength(1)
})

test('a receiver that answers nonsense is a failure', async () => {
  const server = createServer((socket) => void socket.end('SSH-2.0-OpenSSH\r\n\r\n'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { id } = await addWebhook(ctx, `http://127.0.0.1:${port}/`)
  await emitUsers(ctx, 1)
  await whileTelling(ctx, () => poll(() => readCalls(id)).toMatchObject([{ attempts: 1, state: 'waiting' }]))
  expect((await attempts(id))[0]?.detail).not.toContain('SSH')
  server.close()
})

test('at most eight calls of one webhook are under way, no more', async () => {
  let [running, most] = [0, 0]
  const release: (() => void)[] = []
  const { url, received } = await startReceiver((_, response) => {
    most = Math.max(most, ++running)
    release.push(() => {
      running--
      response.writeHead(200).end()
    })
  })
  await addWebhook(ctx, url)
  await emitUsers(ctx, 30)
  await whileTelling(ctx, async () => {
    await poll(() => release.length).toBe(8)
    await until(
      () => {
        release.shift()?.()
        return { received: received.length, running }
      },
      (now) => now.received === 30 && now.running === 0,
    )
  })
  expect(most).toBe(8)
})

test('a call whose holder was killed is made again, and the holder who wakes is refused', async () => {
  const { url, received } = await startReceiver()
  const { id } = await addWebhook(ctx, url)
  await emitUsers(ctx, 1)
  await createCalls(store)
  const holder = crypto.randomUUID()
  const [taken] = await takeCalls(store, { holder, leaseMs: 20_000, inFlight: [], perWebhook: 8, room: 10 })
  expect(
    await takeCalls(store, { holder: crypto.randomUUID(), leaseMs: 20_000, inFlight: [], perWebhook: 8, room: 10 }),
  ).toEqual([])
  await makeDue(id)
  await whileTelling(ctx, () => poll(() => leftOver(id)).toEqual([]))
  expect(received).toHaveLength(1)
  await settleCalls(ctx, holder, [
    {
      appId: ctx.app.id,
      webhookId: id,
      callNo: taken?.call_no as number,
      at: new Date(),
      eventId: taken?.event_id as string,
      kind: 'user.new',
      isSuccess: false,
      status: 500,
      detail: 'late',
      tookMs: 1,
      nextTryMs: 1,
    },
  ])
  expect(await readCalls(id)).toEqual([])
})

test('several processes share the calls: each is made once', async () => {
  const { url, received } = await startReceiver()
  await addWebhook(ctx, url)
  await emitUsers(ctx, 200)
  await whileTelling(ctx, () =>
    whileTelling(ctx, async () => {
      await poll(() => received.length).toBe(200)
    }),
  )
  expect(new Set(received.map(({ body }) => body.id)).size).toBe(200)
})

test('after a day of failures a call is given up, the webhook disabled and an alert raised; enabling goes on', async () => {
  let status = 500
  const { url, received } = await startReceiver((_, response) => response.writeHead(status).end())
  const { id } = await addWebhook(ctx, url)
  await emitUsers(ctx, 2)
  await whileTelling(ctx, () => poll(() => readCalls(id)).toMatchObject([{ attempts: 1 }, { attempts: 1 }]))
  await store.query(sql`update webhooks set failing_since = now() - interval '25 hours' where webhook_id = ${id}`)
  await store.query(sql`
    update webhook_calls set created_at = now() - interval '25 hours', attempts = 20, available_at = now()
    where webhook_id = ${id} and call_no = (select min(call_no) from webhook_calls where webhook_id = ${id})`)
  await whileTelling(ctx, () => poll(() => getWebhook(ctx, { id })).toMatchObject({ isEnabled: false }))
  expect(await getWebhook(ctx, { id })).toMatchObject({ disabledReason: expect.any(String), waiting: 1 })
  expect(await readCalls(id)).toMatchObject([{ state: 'failed' }, { state: 'waiting' }])
  const alerts = async () => (await listAlerts(ctx)).filter(({ kind }) => kind === 'webhook-disabled')
  expect(await alerts()).toMatchObject([{ subject: id }])

  await emitUsers(ctx, 1)
  expect(await store.query(sql`select from outbox where app_id = ${ctx.app.id}`)).toHaveLength(0)
  status = 200
  const before = received.length
  expect(await enableWebhook(ctx, { id })).toMatchObject({ isEnabled: true })
  await whileTelling(ctx, () => poll(() => leftOver(id)).toEqual([]))
  expect(received.length).toBe(before + 1)
  expect(await alerts()).toEqual([])
})

test('a webhook that may not be called any more is not called', async () => {
  const { url, received } = await startReceiver()
  const { id } = await addWebhook(ctx, url)
  await emitUsers(ctx, 1)
  const production = { ...ctx, external: { ...localExternal, webhooksMayBeLocal: false } }
  await whileTelling(production, () => poll(() => readCalls(id)).toMatchObject([{ attempts: 1 }]))
  expect(received).toEqual([])
  expect(await attempts(id)).toMatchObject([
    { detail: expect.stringContaining('not called: the URL must begin with https') },
  ])
})

test('a call is traced: whom it went to and what came back, but not by which path', async () => {
  const ended = traceHere()
  const { url } = await startReceiver()
  const { id } = await addWebhook(ctx, `${url}/a-secret-path`)
  await emitUsers(ctx, 1)
  await whileTelling(ctx, () => poll(() => leftOver(id)).toEqual([]))
  const calls = ended.filter(({ name }) => name === 'call webhook')
  expect(calls.map(({ attributes }) => Object.fromEntries(attributes))).toEqual([
    {
      'peyk.app_id': ctx.app.label,
      'peyk.webhook_event': 'user.new',
      'peyk.webhook_event_id': expect.any(String),
      'http.request.method': 'POST',
      'server.address': new URL(url).hostname,
      'server.port': Number(new URL(url).port),
      'http.response.status_code': expect.any(Number),
    },
  ])
})
