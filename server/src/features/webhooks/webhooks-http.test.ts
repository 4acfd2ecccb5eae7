import { createTestToken } from '@peyk/test/database/test-store.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import { caller, createTestServer } from '@peyk/test/service/test-server.ts'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { registerInstallation } from '../installations/register/register-installation.ts'
import { localExternal, startReceiver, whileTelling } from './webhooks.test-support.ts'

const { call, callAsClient, baseUrl, ctx, store } = await createTestServer({ external: localExternal })

test('a back end adds a webhook, tries it, is told, and reads the log', async () => {
  const { url, received } = await startReceiver()
  const made = await call('POST', '/api/webhooks', { url, events: ['installation.new', 'user.new'] })
  expect(made).toMatchObject({ status: 200, body: { url, isEnabled: true, secret: expect.any(String) } })
  const { id } = made.body
  expect((await call('GET', `/api/webhooks/${id}`)).body).toEqual(
    expect.not.objectContaining({ secret: expect.anything() }),
  )
  expect((await call('GET', '/api/webhooks')).body).toHaveLength(1)
  expect((await call('POST', `/api/webhooks/${id}/test`)).body).toMatchObject({ isSuccess: true, status: 204 })
  await whileTelling(ctx, async () => {
    await registerInstallation(ctx, { deviceType: 'web', userId: 'sara' })
    await poll(() => received.map(({ body }) => body.type)).toEqual(['ping', expect.anything(), expect.anything()])
  })
  const log = await call('GET', `/api/webhooks/${id}/attempts?limit=2`)
  expect(log.body).toMatchObject({ data: [{ status: 204 }, { status: 204 }], cursor: expect.any(String) })
  expect((await call('PUT', `/api/webhooks/${id}`, { url, events: ['promo.low'] })).body.events).toEqual(['promo.low'])
  expect((await call('POST', `/api/webhooks/${id}/secret`)).body.secret).toMatch(/^whsec_/)
  expect((await call('POST', `/api/webhooks/${id}/enable`)).status).toBe(200)
  expect((await call('DELETE', `/api/webhooks/${id}`)).body).toEqual({ id, url: url })
  expect((await call('GET', `/api/webhooks/${id}`)).status).toBe(404)
})

test('only a server token may', async () => {
  const push = caller(baseUrl, await createTestToken(ctx, ['push']))
  for (const other of [callAsClient, push]) {
    expect((await other('GET', '/api/webhooks')).status).toBe(403)
    expect((await other('POST', '/api/webhooks', { url: 'http://localhost/', events: ['user.new'] })).status).toBe(403)
  }
})

test.each([
  ['no events', { url: 'http://localhost/', events: [] }],
  ['an unknown event', { url: 'http://localhost/', events: ['user.old'] }],
  ['no url', { events: ['user.new'] }],
  ['a private address', { url: 'https://192.168.0.1/', events: ['user.new'] }],
])('%s is refused with 400', async (_, body) => {
  expect(await call('POST', '/api/webhooks', body)).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid-request' } },
  })
})

test('with an idempotency key the same secret comes again, and is not kept in the clear', async () => {
  const body = { url: 'http://localhost:9/', events: ['user.new'] }
  const headers = { 'idempotency-key': 'k1' }
  const first = await call('POST', '/api/webhooks', body, headers)
  const second = await call('POST', '/api/webhooks', body, headers)
  expect(second.headers.get('idempotency-replayed')).toBe('true')
  expect(second.body).toEqual(first.body)
  expect(first.body.secret).toMatch(/^whsec_/)
  const kept = await store.query(sql`select answer from idempotency_keys where app_id = ${ctx.app.id}`)
  expect(kept).toHaveLength(1)
  expect(JSON.stringify(kept)).not.toContain('whsec_')
})
