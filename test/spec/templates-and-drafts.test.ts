import { randomUUID } from 'node:crypto'
import { listAudit } from '@peyk/server/features/accounts/audit/list-audit.ts'
import { removeMember } from '@peyk/server/features/accounts/members/remove-member.ts'
import { describe, expect, it } from 'vitest'
import { createTestToken } from '../helpers/database/test-store.ts'
import { createTestMember, panelCaller } from '../helpers/panel-caller.ts'
import { caller, createTestServer } from '../helpers/service/test-server.ts'

const { baseUrl, ctx, call } = await createTestServer()
const path = (rest: string) => `/apps/${ctx.app.label}${rest}`
const message = { content: 'Hello {{ user.firstName }}', notification: { title: 'Hi' } }

describe('templates over the API', () => {
  it('are made, listed, read, changed, sent and deleted', async () => {
    const made = await call('POST', '/api/templates', { name: 'Welcome', message })
    expect(made.body).toMatchObject({ id: 'welcome', name: 'Welcome', message })
    expect((await call('GET', '/api/templates?search=wel')).body.data).toEqual([made.body])
    expect((await call('PUT', '/api/templates/welcome', { name: 'Welcome!' })).body).toMatchObject({ message })
    const sent = await call('POST', '/api/push/toUsers', { user: 'nobody', templateId: 'welcome' })
    expect((await call('GET', `/api/messages/${sent.body.id}`)).body).toMatchObject(message)
    expect((await call('DELETE', '/api/templates/welcome')).body).toEqual({ id: 'welcome', name: 'Welcome!' })
    expect((await call('GET', '/api/templates/welcome')).status).toBe(404)
    const again = await call('POST', '/api/push/byQuery', { target: {}, templateId: 'welcome' })
    expect([again.status, again.body.error.message]).toEqual([
      400,
      '"templateId": there is no template with the id "welcome".',
    ])
  })

  it.each([
    [{ name: ' ', message }, '"name": expected a name of 1 to 100 characters, got " ".'],
    [{ name: 'x'.repeat(101), message }, 'expected a name of 1 to 100 characters'],
    [{ name: 'x' }, '"message" is required.'],
    [{ id: 'Not This', name: 'x', message }, '"id": expected a template id'],
    [{ name: 'x', message: { content: '{% if %}' } }, '"message.content" is not a Liquid template'],
    [{ name: 'x', message: { notification: {} } }, '"message.notification.title" is required.'],
  ])('%j is refused', async (body, words) => {
    const answer = await call('POST', '/api/templates', body)
    expect(answer.status).toBe(400)
    expect(answer.body.error.message).toContain(words)
  })

  it('are for tokens that may send, and for reading ones', async () => {
    const events = caller(baseUrl, await createTestToken(ctx, ['events']))
    const read = caller(baseUrl, await createTestToken(ctx, ['read']))
    expect((await events('GET', '/api/templates')).status).toBe(403)
    expect((await read('GET', '/api/templates')).status).toBe(200)
    expect((await read('POST', '/api/templates', { name: 'x', message })).status).toBe(403)
  })
})

describe('drafts of the panel', () => {
  const draft = {
    version: 0,
    name: 'Sale',
    isNamed: true,
    editorId: randomUUID(),
    formVersion: 1,
    form: { content: 'x' },
  }

  it('are saved without a trace in the audit log, and say who edited them when the member is gone', async () => {
    const sara = await createTestMember(ctx, 'support')
    const admin = await createTestMember(ctx, 'admin')
    const asSara = panelCaller(baseUrl, sara.key)
    const asAdmin = panelCaller(baseUrl, admin.key)
    const id = randomUUID()
    const saved = await asSara('PUT', path(`/drafts/${id}`), draft)
    expect(saved.body).toMatchObject({ id, version: 1, updatedBy: sara.email })
    const clash = await asAdmin('PUT', path(`/drafts/${id}`), { ...draft, editorId: randomUUID() })
    expect([clash.status, clash.body.error.code, clash.body.error.details]).toEqual([
      409,
      'changed-meanwhile',
      { version: 1, updatedBy: sara.email, updatedAt: saved.body.updatedAt },
    ])
    expect((await listAudit(ctx, {})).data.filter(({ action }) => action.includes('/drafts'))).toEqual([])
    await removeMember(ctx, { id: sara.id })
    expect((await asAdmin('GET', path('/drafts'))).body).toMatchObject([{ id, updatedBy: sara.email }])
    expect((await asAdmin('PUT', path(`/drafts/${id}/name`), { name: 'Spring' })).body.version).toBe(2)
    expect((await asAdmin('GET', path(`/drafts/${id}`))).body).toMatchObject({ name: 'Spring', form: { content: 'x' } })
    expect((await asAdmin('DELETE', path(`/drafts/${id}`))).body).toEqual({ id, name: 'Spring' })
    const [deleted] = (await listAudit(ctx, {})).data
    expect(deleted).toMatchObject({ action: 'DELETE /drafts/:id', email: admin.email, details: { name: 'Spring' } })
  })

  it('are refused without an id, or with a form that is none', async () => {
    const call = panelCaller(baseUrl, (await createTestMember(ctx, 'admin')).key)
    expect((await call('PUT', path('/drafts/x'), draft)).status).toBe(400)
    expect((await call('PUT', path(`/drafts/${randomUUID()}`), { ...draft, form: [1] })).status).toBe(400)
  })
})
