import { createTestApp } from '@peyk/test/database/test-store.ts'
import { createTestMember, panelCaller } from '@peyk/test/panel-caller.ts'
import { createTestServer } from '@peyk/test/service/test-server.ts'
import { describe, expect, it } from 'vitest'
import { changeApp } from '#features/accounts/apps/change-app.ts'
import { createMember } from '#features/accounts/members/create-member.ts'
import { addInstallation } from '#features/messages/installation-rows.test-support.ts'

const { baseUrl, ctx, store } = await createTestServer()
const anybody = panelCaller(baseUrl)
const admin = await createTestMember(ctx, 'admin')
const asAdmin = panelCaller(baseUrl, admin.key)
const marketer = await createTestMember(ctx, 'marketer')
const asMarketer = panelCaller(baseUrl, marketer.key)
const at = `/apps/${ctx.app.label}`
const password = 'correct horse battery'

async function entriesOf(action: string, caller = asAdmin, path = at) {
  const { data } = (await caller('GET', `${path}/audit`)).body
  return data.filter((entry: { action: string }) => entry.action === action)
}

describe('names that a body of the panel must not have', () => {
  it('choose the password of nobody else', async () => {
    const other = await createTestApp(store)
    const victim = await createMember(other, { email: 'admin@other.example', role: 'admin', password })
    const stolen = 'stolen-password-123'
    const session = { memberId: victim.id, email: victim.email, byLink: true, createdAt: 4e12, hash: '00' }
    expect((await asMarketer('PUT', '/password', { next: stolen, session })).status).toBe(400)
    const signIn = (secret: string) => anybody('POST', '/session', { email: victim.email, password: secret })
    expect((await signIn(stolen)).status).toBe(401)
    expect((await signIn(password)).status).toBe(200)
    const itsAdmin = await createTestMember(other, 'admin')
    const log = await entriesOf('PUT /password', panelCaller(baseUrl, itsAdmin.key), `/apps/${other.app.label}`)
    expect(log).toEqual([])
  })

  it('do not replace the current password', async () => {
    const { email } = await createMember(ctx, { email: 'own@shop.example', role: 'support', password })
    const entered = await anybody('POST', '/session', { email, password })
    const key = /peyk=([^;]+)/.exec(entered.headers.get('set-cookie') ?? '')?.[1]
    const call = panelCaller(baseUrl, key)
    const chosen = { next: 'chosen-without-it', session: { byLink: true, createdAt: 4e12 } }
    expect((await call('PUT', '/password', chosen)).status).toBe(400)
    const { session: _, ...body } = chosen
    expect((await call('PUT', '/password', { ...body, current: password })).status).toBe(200)
    expect(await entriesOf('PUT /password')).toMatchObject([{ email }])
  })

  it('change nothing of a scheduled message but its time', async () => {
    await addInstallation(ctx, 'sara')
    await addInstallation(ctx, 'omid')
    const sendAt = Date.now() + 3_600_000
    const body = { product: 'message', users: ['sara'], content: 'Hello', sendAt, confirmed: 1 }
    const { id } = (await asMarketer('POST', `${at}/send`, body)).body
    const evil = { content: 'EVIL', notification: { title: 'EVIL' }, users: null, target: {}, trackId: 'evil' }
    await asMarketer('PUT', `${at}/messages/${id}/time`, { sendAt: sendAt + 1000, ...evil })
    const moved = await asMarketer('PUT', `${at}/messages/${id}/time`, { sendAt: sendAt + 2000 })
    expect(moved).toMatchObject({ status: 200, body: { count: 1, content: 'Hello', sendAt: sendAt + 2000 } })
    expect(moved.body).not.toHaveProperty('notification')
    expect(moved.body).not.toHaveProperty('trackId')
  })

  it('decide about no other send than the one that the path names', async () => {
    const shop = await createTestApp(store)
    const asks = panelCaller(baseUrl, (await createTestMember(shop, 'marketer')).key)
    const decides = panelCaller(baseUrl, (await createTestMember(shop, 'admin')).key)
    const inShop = `/apps/${shop.app.label}`
    for (const user of ['sara', 'omid']) await addInstallation(shop, user)
    await changeApp(shop, { approvalAbove: 1 })
    const ask = async (content: string) =>
      (await asks('POST', `${inShop}/send`, { product: 'message', target: {}, content, confirmed: 2 })).body.id
    const [one, two] = [await ask('one'), await ask('two')]
    const stateOf = async (id: string) => (await decides('GET', `${inShop}/approvals/${id}`)).body.state
    await decides('POST', `${inShop}/approvals/${one}/decline`, { id: two, reason: 'x' })
    expect(await stateOf(two)).toBe('waiting')
    const { count, seen } = (await decides('GET', `${inShop}/approvals/${two}`)).body.now
    await decides('POST', `${inShop}/approvals/${one}/approve`, { id: two, confirmed: count, seen })
    expect(await stateOf(two)).toBe('waiting')
  })

  it('make no account that the inviting member can enter', async () => {
    const invited = { email: 'new@shop.example', role: 'support' }
    await asAdmin('POST', `${at}/members`, { ...invited, password, isInvited: false })
    expect((await anybody('POST', '/session', { email: invited.email, password })).status).toBe(401)
  })
})
