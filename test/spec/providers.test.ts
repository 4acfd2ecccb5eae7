import type { External } from '@peyk/server/base/external.ts'
import {
  makeApnsKey,
  makeServiceAccount,
  twilio,
} from '@peyk/server/features/accounts/providers/credentials.test-support.ts'
import { pauseProvider } from '@peyk/server/features/accounts/providers/pause-provider.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { createTestApp, createTestToken, testExternal } from '../helpers/database/test-store.ts'
import { freePort } from '../helpers/service/service-process.ts'
import { caller, createTestServer } from '../helpers/service/test-server.ts'

/** Providers that nobody reaches: nothing listens there. */
const nowhere = `http://127.0.0.1:${await freePort()}`
const external: External = {
  ...testExternal,
  real: {
    fcm: nowhere,
    apns: { production: nowhere, sandbox: nowhere },
    twilio: nowhere,
    oauthHost: 'oauth2.googleapis.com',
    localOrigins: [nowhere],
  },
}
const { store, ctx, call, callAsClient, baseUrl } = await createTestServer({ external })
const account = makeServiceAccount({ token_uri: `${nowhere}/token` })
const secretLines = account.private_key.split('\n').filter((line) => line.length > 20 && !line.startsWith('-'))

describe('PUT /api/providers/{provider}', () => {
  it('stores what could not be checked, with a warning', async () => {
    const { status, body } = await call('PUT', '/api/providers/fcm', account)
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        provider: 'fcm',
        simulated: false,
        shown: { projectId: 'shop-1a2b3' },
        warning: expect.stringContaining('could not be asked'),
        findings: [
          { ok: true, text: expect.stringContaining('service account') },
          { ok: true, text: 'The private key can be read and signs.' },
          { ok: false, text: expect.stringContaining('Google could not be reached') },
        ],
      },
    })
    const { body: listed } = await call('GET', '/api/providers')
    expect(listed.filter(({ provider }: { provider: string }) => provider === 'fcm')).toHaveLength(1)
    expect((await call('POST', '/api/providers/fcm/check')).body).toMatchObject({
      ok: false,
      warning: 'The provider could not be asked.',
    })
  })

  it('keeps secrets out of every answer, also of one that is kept for its idempotency key', async () => {
    const headers = { 'idempotency-key': 'set-fcm' }
    const first = await call('PUT', '/api/providers/fcm', account, headers)
    const again = await call('PUT', '/api/providers/fcm', account, headers)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.body).toEqual(first.body)
    const bad = await call('PUT', '/api/providers/fcm', { ...account, type: 'x' })
    const wrongShape = await call('PUT', '/api/providers/fcm', JSON.stringify(account.private_key))
    const swapped = await call('PUT', '/api/providers/apns', { ...account, keyId: 'ABC123DEFG' })
    expect([bad.status, wrongShape.status, swapped.status]).toEqual([400, 400, 400])
    const listed = await call('GET', '/api/providers')
    const tables = await store.query<{ all: string }>(sql`
      select coalesce(string_agg(t::text, ' '), '') as all from (
        select k::text from idempotency_keys k union all select c::text from provider_credentials c
        union all select a::text from alerts a union all select a::text from apps a) t`)
    const everything = JSON.stringify([first.body, bad.body, wrongShape.body, swapped.body, listed.body, tables])
    for (const secret of secretLines) expect(everything).not.toContain(secret)
  })

  it('says in plain words what cannot be read, and stores nothing', async () => {
    const { status, body } = await call('PUT', '/api/providers/fcm', { project_info: {}, client: [], force: true })
    expect({ status, error: body.error }).toMatchObject({
      status: 400,
      error: {
        code: 'invalid-request',
        message: expect.stringContaining('This is google-services.json'),
        details: { findings: [{ ok: false, text: expect.stringContaining('google-services.json') }] },
      },
    })
    const unknown = await call('PUT', '/api/providers/mail', {})
    expect(unknown).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining('"fcm"') } } })
    expect((await call('PUT', '/api/providers/fcm')).status).toBe(400)
  })

  it('takes no simulated credentials where there is no simulator', async () => {
    const { status, body } = await call('PUT', '/api/providers/apns', { ...makeApnsKey(), simulated: true })
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('no simulator')])
    expect((await call('POST', '/api/providers/apns/check')).status).toBe(404)
  })
})

describe('the pair of web push', () => {
  it('is made once, shown to client libraries, and replaced only when that is said', async () => {
    const missing = await callAsClient('GET', '/api/webPush/publicKey')
    expect([missing.status, missing.body.error.message]).toEqual([404, expect.stringContaining('no key pair')])
    const made = await call('PUT', '/api/providers/webpush', { subject: 'mailto:push@shop.example' })
    expect(made).toMatchObject({ status: 200, body: { shown: { subject: 'mailto:push@shop.example' } } })
    const { publicKey } = made.body.shown
    expect((await callAsClient('GET', '/api/webPush/publicKey')).body).toEqual({ publicKey })
    expect((await call('GET', '/api/webPush/publicKey')).body).toEqual({ publicKey })
    const kept = await call('PUT', '/api/providers/webpush', { subject: 'https://shop.example' })
    expect(kept.body.shown).toEqual({ publicKey, subject: 'https://shop.example' })
    const refused = await call('DELETE', '/api/providers/webpush')
    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      expect.stringContaining('ends every web push subscription'),
    ])
    const replaced = await call('PUT', '/api/providers/webpush', { replace: true })
    expect(replaced.body.shown.publicKey).not.toBe(publicKey)
    expect((await call('DELETE', '/api/providers/webpush?force=true')).body).toEqual({ provider: 'webpush' })
    expect((await callAsClient('GET', '/api/webPush/publicKey')).status).toBe(404)
  })
})

describe('a paused provider', () => {
  it('is told as an alert, and goes on with what waited when it is resumed', async () => {
    const own = await createTestApp(store, { external })
    const call = caller(baseUrl, await createTestToken(own))
    await call('PUT', '/api/providers/sms', twilio)
    await pauseProvider(own, { provider: 'sms', reason: 'Twilio 401' })
    const [listed] = (await call('GET', '/api/providers')).body.filter(
      (p: { provider: string }) => p.provider === 'sms',
    )
    expect(listed.paused).toEqual({ at: expect.any(Number), reason: 'Twilio 401' })
    const alerts = (await call('GET', '/api/alerts')).body
    expect(alerts).toMatchObject([{ kind: 'provider-paused', subject: 'sms', details: { reason: 'Twilio 401' } }])
    expect((await call('POST', '/api/providers/sms/resume')).body).toEqual({
      provider: 'sms',
      wasPaused: true,
      released: 0,
    })
    expect((await call('GET', '/api/alerts')).body).toEqual([])
    expect((await call('GET', '/api/alerts?cleared=true')).body).toMatchObject([{ id: alerts[0].id }])
    expect((await call('DELETE', `/api/alerts/${alerts[0].id}`)).status).toBe(200)
    expect((await call('DELETE', '/api/alerts/x')).status).toBe(404)
  })
})

describe('PUT /api/app', () => {
  it('sets what notifications say where a message says nothing', async () => {
    const changed = await call('PUT', '/api/app', { name: 'My shop', defaultNotificationText: 'News' })
    expect(changed.body).toMatchObject({ appId: ctx.app.label, name: 'My shop', defaultNotificationText: 'News' })
    expect((await call('GET', '/api/app')).body).toEqual(changed.body)
    expect((await call('PUT', '/api/app', { defaultIcon: 'javascript:x' })).status).toBe(400)
  })
})

describe('another app', () => {
  it('sees and touches none of it, and narrower tokens only read', async () => {
    await call('PUT', '/api/providers/fcm', account)
    await pauseProvider(ctx, { provider: 'fcm', reason: 'FCM 401' })
    const [alert] = (await call('GET', '/api/alerts')).body
    const callOther = caller(baseUrl, await createTestToken(await createTestApp(store)))
    expect((await callOther('GET', '/api/providers')).body).toEqual([])
    expect((await callOther('GET', '/api/alerts?cleared=true')).body).toEqual([])
    for (const [method, path] of [
      ['POST', '/api/providers/fcm/check'],
      ['POST', '/api/providers/fcm/resume'],
      ['DELETE', '/api/providers/fcm'],
      ['DELETE', `/api/alerts/${alert.id}`],
      ['GET', '/api/webPush/publicKey'],
    ] as const) {
      expect([path, (await callOther(method, path)).status]).toEqual([path, 404])
    }
    const callReading = caller(baseUrl, await createTestToken(ctx, ['read']))
    expect((await callReading('GET', '/api/providers')).status).toBe(200)
    expect((await callReading('GET', '/api/alerts')).status).toBe(200)
    expect((await callReading('PUT', '/api/providers/fcm', account)).status).toBe(403)
    const callPushing = caller(baseUrl, await createTestToken(ctx, ['push']))
    expect((await callPushing('GET', '/api/providers')).status).toBe(403)
    expect((await callAsClient('GET', '/api/providers')).status).toBe(403)
  })
})
