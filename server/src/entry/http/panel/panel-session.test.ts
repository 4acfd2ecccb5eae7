import { createTestApp } from '@peyk/test/database/test-store.ts'
import { createTestMember, panelCaller } from '@peyk/test/panel-caller.ts'
import { createTestServer } from '@peyk/test/service/test-server.ts'
import sql from 'sql-template-tag'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createMember } from '#features/accounts/members/create-member.ts'
import { makeSignInLink } from '#features/accounts/sessions/make-sign-in-link.ts'

const { baseUrl, ctx, store } = await createTestServer({
  env: { PEYK_TRUST_PROXY: '127.0.0.1', PEYK_PUBLIC_URL: 'https://push.shop.example' },
})
const anybody = panelCaller(baseUrl)
const password = 'correct horse battery'
const { id, email } = await createMember(ctx, { email: 'sara@shop.example', role: 'admin', password })

const keyOf = (cookie: string | null) => /^(?:__Host-)?peyk=([\w-]{43});/.exec(cookie ?? '')?.[1] as string

describe('signing in to the panel', () => {
  it('sets a cookie that only this site gets, and says who is there', async () => {
    const answer = await anybody('POST', '/session', { email, password })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      member: { email },
      apps: [
        {
          appId: ctx.app.label,
          name: 'Test app',
          role: 'admin',
          may: expect.arrayContaining(['settings']),
          hasPhones: false,
        },
      ],
      mode: 'production',
      publicUrl: 'https://push.shop.example',
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const cookie = answer.headers.get('set-cookie')
    expect(cookie).toMatch(/^peyk=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/)
    const signedIn = panelCaller(baseUrl, keyOf(cookie))
    expect((await signedIn('GET', '/session')).body).toEqual(answer.body)
    const left = await signedIn('DELETE', '/session')
    expect(left.headers.get('set-cookie')).toMatch(/^peyk=; .*Max-Age=0$/)
    expect((await signedIn('GET', '/session')).status).toBe(401)
  })

  it('over TLS sets a __Host- cookie, and the other one does not count there', async () => {
    const https = baseUrl.replace('http:', 'https:')
    const headers = { origin: https, 'x-forwarded-proto': 'https' }
    const { key } = await makeSignInLink(ctx, { memberId: id })
    const answer = await anybody('POST', '/session/link', { key }, headers)
    const cookie = answer.headers.get('set-cookie')
    expect(cookie).toMatch(/^__Host-peyk=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=\d+$/)
    expect(answer.body.mayChoosePassword).toBe(true)
    const session = async (name: string, more: Record<string, string>) =>
      (await anybody('GET', '/session', undefined, { cookie: `${name}=${keyOf(cookie)}`, ...more })).status
    expect(await session('__Host-peyk', headers)).toBe(200)
    expect(await session('peyk', headers)).toBe(401)
    expect(await session('__Host-peyk', {})).toBe(401)
  })

  it('ends the session that was there before', async () => {
    const before = await createTestMember(ctx, 'analyst')
    const { key } = await makeSignInLink(ctx, { memberId: id })
    await panelCaller(baseUrl, before.key)('POST', '/session/link', { key })
    expect((await panelCaller(baseUrl, before.key)('GET', '/session')).status).toBe(401)
  })

  it('waits longer and longer after failures', async () => {
    const wrong = (address: string) =>
      anybody('POST', '/session/link', { key: 'wrong' }, { 'x-forwarded-for': address })
    const answers = []
    // Else a second might pass between two of them, and they would not have to wait any more.
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    for (let attempt = 0; attempt < 5; attempt++) answers.push(await wrong('192.0.2.7'))
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 429, 429])
    expect(Number(answers[4]?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await wrong('192.0.2.8')).status).toBe(401)
  })

  it('refuses a page of somebody else, and a cookie that was set twice', async () => {
    const { key } = await createTestMember(ctx, 'analyst')
    const evil = { origin: 'https://evil.example' }
    expect((await anybody('POST', '/session', { email, password }, evil)).body.error.code).toBe('wrong-origin')
    const twice = { cookie: `peyk=${'a'.repeat(43)}; peyk=${key}` }
    expect((await anybody('GET', '/session', undefined, twice)).status).toBe(401)
    const sameOrigin = { origin: undefined, 'sec-fetch-site': 'same-origin' }
    expect((await panelCaller(baseUrl, key)('DELETE', '/session', undefined, sameOrigin)).status).toBe(200)
  })

  it('says what to do behind a proxy that nobody told it of', async () => {
    const answer = await anybody('DELETE', '/session', undefined, { origin: baseUrl.replace('http:', 'https:') })
    expect(answer.body.error.message).toContain('PEYK_TRUST_PROXY')
  })

  it.each([[{}], [{ email: 4 }], [{ email: 'x', password: '' }], [{ email: ['a'], password: {} }]])(
    'refuses %j',
    async (body) => {
      expect((await anybody('POST', '/session', body)).status).toBe(400)
    },
  )
})

describe('whoever is signed in', () => {
  it('sees all their apps with their roles, and where they are signed in', async () => {
    const second = await createTestApp(store)
    const account = { email: 'of-two@shop.example', password }
    await createMember(ctx, { ...account, role: 'support' })
    await createMember(second, { ...account, role: 'analyst' })
    const entered = await anybody('POST', '/session', account, { 'user-agent': 'test' })
    const call = panelCaller(baseUrl, /peyk=([^;]+)/.exec(entered.headers.get('set-cookie') ?? '')?.[1])
    const { body } = await call('GET', '/session')
    expect(body.apps.map(({ appId, role }: { appId: string; role: string }) => [appId, role])).toEqual(
      [
        [ctx.app.label, 'support'],
        [second.app.label, 'analyst'],
      ].sort(),
    )
    expect((await call('GET', '/sessions')).body).toMatchObject([{ isThis: true, browser: 'test' }])
    expect((await call('DELETE', '/sessions')).body).toEqual({ count: 0 })
  })

  it('leaves a trace of what they change, and of nothing that was refused', async () => {
    const member = await createTestMember(ctx, 'admin')
    const call = panelCaller(baseUrl, member.key)
    const app = `/apps/${ctx.app.label}`
    expect((await call('PUT', `${app}/app`, { name: 'A better name' })).status).toBe(200)
    expect((await call('PUT', `${app}/app`, { name: '' })).status).toBe(400)
    const made = await call('POST', `${app}/tokens`, { name: 'ci', scopes: ['read'] }, { 'idempotency-key': 'one' })
    expect(made.body.secret).toMatch(/^[0-9a-f]{40}$/)
    const again = await call('POST', `${app}/tokens`, { name: 'ci', scopes: ['read'] }, { 'idempotency-key': 'one' })
    expect(again.body).toEqual(made.body)
    expect((await call('GET', `${app}/app`)).status).toBe(200)
    const other = await createTestMember(ctx, 'analyst')
    expect((await call('POST', `${app}/members/${other.id}/link`)).status).toBe(200)
    const { data } = (await call('GET', `${app}/audit`)).body
    expect(data.filter((entry: { email: string }) => entry.email === member.email)).toMatchObject([
      { action: 'POST /members/:id/link', subject: other.id, details: { email: other.email } },
      { action: 'POST /tokens', subject: made.body.id, details: { name: 'ci' } },
      { action: 'PUT /app', details: { name: 'A better name' } },
    ])
    const stored = await store.query(sql`select answer::text from idempotency_keys where key = 'one'`)
    expect(JSON.stringify(stored)).not.toContain(made.body.secret)
  })

  it('is out of an app at once when they are removed from it', async () => {
    const admin = panelCaller(baseUrl, (await createTestMember(ctx, 'admin')).key)
    const member = await createTestMember(ctx, 'analyst')
    const call = panelCaller(baseUrl, member.key)
    const app = `/apps/${ctx.app.label}`
    expect((await call('GET', `${app}/app`)).status).toBe(200)
    expect((await call('GET', `${app}/tokens`)).status).toBe(403)
    await admin('PUT', `${app}/members/${member.id}/role`, { role: 'admin' })
    expect((await call('GET', `${app}/tokens`)).status).toBe(200)
    await admin('DELETE', `${app}/members/${member.id}`)
    expect((await call('GET', `${app}/app`)).status).toBe(401)
  })
})
