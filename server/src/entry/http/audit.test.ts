import { testExternal } from '@peyk/test/database/test-store.ts'
import { createTestMember, panelCaller } from '@peyk/test/panel-caller.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import { createTestServer } from '@peyk/test/service/test-server.ts'
import { describe, expect, it } from 'vitest'
import { listAudit } from '#features/accounts/audit/list-audit.ts'
import { createMember } from '#features/accounts/members/create-member.ts'
import { inviteMember } from '#features/accounts/members/invite-member.ts'

const { baseUrl, ctx, call, callAsClient } = await createTestServer({
  external: { ...testExternal, webhooksMayBeLocal: true },
})
const anybody = panelCaller(baseUrl)
const readAudit = async () => (await listAudit(ctx, { limit: 200 })).data
const readOf = async (email: string) =>
  (await readAudit()).filter((entry) => entry.email === email).map(({ action, details }) => [action, details])

describe('the audit log tells', () => {
  it('who signed in, who could not, and who changed a password', async () => {
    const email = 'sara@audit.example'
    const password = 'correct horse battery'
    await createMember(ctx, { email, role: 'admin', password })
    for (let attempt = 0; attempt < 2; attempt++) {
      expect((await anybody('POST', '/session', { email, password: 'wrong' })).status).toBe(401)
      await poll(() => readOf(email)).toEqual([['POST /session failed', { count: attempt + 1, address: '127.0.0.1' }]])
    }
    const entered = await anybody('POST', '/session', { email, password })
    const own = panelCaller(baseUrl, /peyk=([^;]+)/.exec(entered.headers.get('set-cookie') ?? '')?.[1])
    expect((await own('PUT', '/password', { current: 'wrong', next: 'another horse' })).status).toBe(400)
    expect((await own('PUT', '/password', { current: password, next: 'another horse' })).status).toBe(200)
    expect((await readOf(email)).map(([action]) => action)).toEqual([
      'PUT /password',
      'PUT /password failed',
      'POST /session',
      'POST /session failed',
    ])
    const { secret } = await inviteMember(ctx, { email: 'new@audit.example', role: 'support' })
    const invited = await anybody('POST', '/session/link', { key: secret })
    expect(invited.body).toMatchObject({ mayChoosePassword: true, needsPassword: true })
    expect(await readOf('new@audit.example')).toEqual([['POST /session/link', { address: '127.0.0.1' }]])
    expect(JSON.stringify(await readAudit())).not.toMatch(/correct horse|another horse|wrong/)
  })

  it('which access token changed the settings, in the words of the panel, and of no other call', async () => {
    const before = (await readAudit()).length
    const webhook = { url: 'http://localhost:9/', events: ['user.new'] }
    const { id } = (await call('POST', '/api/webhooks', webhook, { 'idempotency-key': 'once' })).body
    await call('POST', '/api/webhooks', webhook, { 'idempotency-key': 'once' })
    await call('PUT', `/api/webhooks/${id}`, webhook)
    await call('PUT', '/api/app', { name: 'By a token' })
    await call('PUT', '/api/app', { name: '' })
    await call('PUT', '/api/providers/webpush', { subject: 'mailto:push@shop.example' })
    await call('POST', '/api/providers/webpush/check')
    await call('DELETE', `/api/webhooks/${id}`)
    await call('POST', '/api/installations/addTags', { userId: 'sara', tags: ['a'] })
    await callAsClient('PUT', '/api/app', { name: 'By a client' })
    const entries = (await readAudit()).slice(0, -before || undefined)
    expect(entries.map(({ action }) => action).reverse()).toEqual([
      'POST /webhooks',
      'PUT /webhooks/:id',
      'PUT /app',
      'PUT /providers/:provider',
      'DELETE /webhooks/:id',
    ])
    for (const entry of entries) expect(entry).toMatchObject({ email: 'test', isToken: true })
    expect(entries.at(-1)).toMatchObject({ subject: id })
  })

  it('who stopped and resumed all sending, as the state does', async () => {
    expect((await callAsClient('POST', '/api/sending/stop')).status).toBe(403)
    const keyed = { 'idempotency-key': 'stop' }
    const stopped = await call('POST', '/api/sending/stop', undefined, keyed)
    expect(stopped.body).toMatchObject({ stopped: true, by: 'test', messages: 0, devices: 0 })
    expect((await call('POST', '/api/push/toUsers', { user: 'sara', content: 'x' })).status).toBe(200)
    expect((await call('POST', '/api/sending/stop', undefined, keyed)).body).toEqual(stopped.body)
    const marketer = await createTestMember(ctx, 'marketer')
    const byMember = panelCaller(baseUrl, marketer.key)
    const path = `/apps/${ctx.app.label}/sending`
    expect((await byMember('GET', path)).body).toEqual(stopped.body)
    expect((await byMember('POST', `${path}/resume`)).body).toMatchObject({ stopped: false })
    expect((await byMember('POST', `${path}/stop`)).body).toMatchObject({ stopped: true, by: marketer.email })
    expect((await call('POST', '/api/sending/resume', undefined, { 'idempotency-key': 'resume' })).status).toBe(200)
    expect((await call('GET', '/api/sending')).body).toMatchObject({ stopped: false })
    expect((await readAudit()).slice(0, 4).map(({ action, email }) => [action, email])).toEqual([
      ['POST /sending/resume', 'test'],
      ['POST /sending/stop', marketer.email],
      ['POST /sending/resume', marketer.email],
      ['POST /sending/stop', 'test'],
    ])
  })

  it('a member from a token of the same name', async () => {
    const member = await createTestMember(ctx, 'admin')
    const byMember = panelCaller(baseUrl, member.key)
    expect((await byMember('PUT', `/apps/${ctx.app.label}/app`, { name: 'By a member' })).status).toBe(200)
    expect((await readAudit())[0]).toEqual(expect.not.objectContaining({ isToken: true }))
  })
})
