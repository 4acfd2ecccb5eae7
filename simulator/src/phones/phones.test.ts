import { randomBytes } from 'node:crypto'
import { poll } from '@peyk/test/runner/poll.ts'
import { freePort } from '@peyk/test/service/service-process.ts'
import { createTestServer } from '@peyk/test/service/test-server.ts'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, it } from 'vitest'
import { createSubscriber } from '../phone-subscriber.ts'
import { Tokens } from '../providers/tokens.ts'
import type { HeldPush } from './held-push.ts'
import type { Phone } from './phone.ts'
import { PhoneError } from './phone-error.ts'
import { Phones } from './phones.ts'
import type { Platform } from './platform.ts'

const { baseUrl, clientKey, call, store, ctx } = await createTestServer()
const tokens = new Tokens(randomBytes(32), 'http://localhost:1')
const subscriber = createSubscriber(tokens)
const opened: Phones[] = []
afterAll(() => {
  for (const phones of opened) phones.close()
})

function openPhones(options: Partial<ConstructorParameters<typeof Phones>[0]> = {}): Phones {
  const phones = new Phones({ kept: [], subscriber, service: { baseUrl, clientKey }, ...options })
  opened.push(phones)
  return phones
}

let users = 0

async function addPhone(phones: Phones, platform: Platform = 'android', userId = `user-${++users}`): Promise<Phone> {
  const { id } = phones.add({ platform, userId })
  const phone = phones.find(id) as Phone
  await poll(() => phone.state.isRegistered).toBe(true)
  return phone
}

async function sendMessage(userId: string): Promise<string> {
  const answer = await call('POST', '/api/push/toUsers', { user: userId, content: 'Hello' })
  expect(answer).toMatchObject({ status: 200, body: { count: 1 } })
  return answer.body.id
}

const androidPush = (messageId: string, more: Partial<HeldPush> = {}): HeldPush => ({
  pushId: `projects/p/messages/${messageId}`,
  content: { data: { messageId, title: 'Hi', body: 'Hello', actions: '[{"id":"yes","title":"Yes"}]' } },
  expiresAt: Date.now() + 60_000,
  collapseKey: undefined,
  ...more,
})

const arrive = (phones: Phones, phone: Phone, push: HeldPush) => phones.arrive(phone.state.address ?? '', push)

const readInstallation = async (id: string | null) => (await call('GET', `/api/installations/fetchById/${id}`)).body

async function listReceipts(messageId: string): Promise<string[]> {
  const rows = await store.query<{ kind: string; action_id: string }>(sql`
    select kind, action_id from receipts where app_id = ${ctx.app.id} and message_id = ${messageId} order by happened_at, kind desc`)
  return rows.map(({ kind, action_id }) => (action_id ? `${kind} ${action_id}` : kind))
}

describe('a phone', () => {
  it('registers as a client does, logged in, with a token that lives', async () => {
    const phones = openPhones()
    const { state } = await addPhone(phones, 'ios', 'sara')
    expect(await readInstallation(state.installationId)).toMatchObject({
      userId: 'sara',
      isGuest: false,
      deviceType: 'ios',
      deviceToken: state.deviceToken,
      tokenStatus: 'ALLOWED',
      deviceModel: 'iPhone 16',
      launchCount: 1,
    })
    expect(tokens.read('apns', state.deviceToken ?? '')?.id).toBe(state.address?.slice('apns:'.length))
    expect(phones.list()).toEqual([
      {
        id: state.id,
        name: 'iPhone',
        platform: 'ios',
        provider: 'apns',
        path: 'apns',
        userId: 'sara',
        installationId: state.installationId,
        permission: 'allowed',
        online: true,
        installed: true,
        app: 'closed',
        connected: false,
        connectionFault: null,
        notifications: [],
        messages: [],
      },
    ])
  })

  it('shows each message once, and tells the service what became of it', async () => {
    const phones = openPhones()
    const phone = await addPhone(phones)
    const messageId = await sendMessage(phone.state.userId)
    for (let times = 0; times < 3; times++) expect(arrive(phones, phone, androidPush(messageId))).toBe(true)
    expect(phone.state.notifications).toMatchObject([{ messageId, title: 'Hi', body: 'Hello', state: 'shown' }])
    await poll(() => listReceipts(messageId)).toEqual(['shown'])
    phone.tap(undefined)
    phone.tap(messageId)
    await poll(() => listReceipts(messageId)).toEqual(['shown', 'opened'])
    expect(phone.state.notifications[0]?.state).toBe('opened')
    await poll(async () => (await readInstallation(phone.state.installationId)).launchCount).toBe(2)
    expect(() => phone.dismiss(messageId)).toThrow(PhoneError)
    expect(() => phone.tap(undefined)).toThrow('shows no notification')
  })

  it('takes an action that the notification has, and no other', async () => {
    const phones = openPhones()
    const phone = await addPhone(phones)
    const messageId = await sendMessage(phone.state.userId)
    arrive(phones, phone, androidPush(messageId))
    expect(() => phone.takeAction(messageId, 'no')).toThrow('expected one of yes')
    phone.takeAction(messageId, 'yes')
    await poll(() => listReceipts(messageId)).toEqual(['shown', 'acted yes'])
    const other = await sendMessage(phone.state.userId)
    arrive(phones, phone, androidPush(other))
    phone.dismiss(other)
    await poll(() => listReceipts(other)).toEqual(['shown', 'dismissed'])
  })

  it('shows nothing of a silent push', async () => {
    const phones = openPhones()
    const phone = await addPhone(phones)
    arrive(phones, phone, androidPush('m', { content: { data: { messageId: 'm', silent: 'true' } } }))
    expect(phone.state).toMatchObject({ notifications: [], receipts: [], seen: ['m'] })
  })

  it('that may not show notifications says so, and shows none', async () => {
    const phones = openPhones()
    const { id } = phones.add({ platform: 'android', userId: 'quiet', permission: 'denied' })
    const phone = phones.find(id) as Phone
    await poll(() => phone.state.isRegistered).toBe(true)
    expect(await readInstallation(phone.state.installationId)).toMatchObject({
      tokenStatus: 'DENIED',
      deviceToken: phone.state.deviceToken,
    })
    arrive(phones, phone, androidPush('m'))
    expect(phone.state).toMatchObject({ notifications: [], receipts: [], seen: ['m'] })
    const browser = phones.find(phones.add({ platform: 'web', userId: 'quiet', permission: 'denied' }).id) as Phone
    await poll(() => browser.state.isRegistered).toBe(true)
    expect(browser.state.deviceToken).toBeNull()
  })

  it('shows a push that no service wrote, and reports nothing of it', async () => {
    const phones = openPhones()
    const phone = await addPhone(phones)
    arrive(phones, phone, androidPush('', { content: { notification: { title: 'Test' } }, pushId: 'by-hand' }))
    expect(phone.state.notifications).toMatchObject([{ messageId: 'by-hand', title: 'Test' }])
    expect(phone.state.receipts).toEqual([])
  })

  it('gets what waited at its provider when it is back, unless its time is over', async () => {
    const phones = openPhones()
    const phone = await addPhone(phones)
    const messageId = await sendMessage(phone.state.userId)
    phone.goOffline()
    arrive(phones, phone, androidPush(messageId))
    arrive(phones, phone, androidPush('late', { expiresAt: Date.now() - 1 }))
    arrive(phones, phone, androidPush('now-or-never', { expiresAt: null }))
    expect(phone.state.notifications).toEqual([])
    phone.goOnline()
    expect(phone.state.notifications.map((shown) => shown.messageId)).toEqual([messageId])
    await poll(() => listReceipts(messageId)).toEqual(['shown'])
  })

  it('keeps its receipts while it has no network', async () => {
    const phones = openPhones()
    const phone = await addPhone(phones)
    const messageId = await sendMessage(phone.state.userId)
    arrive(phones, phone, androidPush(messageId))
    phone.goOffline()
    phone.tap(messageId)
    await poll(() => listReceipts(messageId)).toEqual(['shown'])
    expect(phone.state.receipts.at(-1)).toMatchObject({ actionType: 'OPENED' })
    phone.goOnline()
    await poll(() => listReceipts(messageId)).toEqual(['shown', 'opened'])
    await poll(() => phone.state.receipts).toEqual([])
  })

  it('is dead to its provider when the app is removed, and somebody new when it is installed again', async () => {
    const phones = openPhones()
    const phone = await addPhone(phones)
    const { address, installationId, deviceToken } = { ...phone.state }
    phone.uninstall()
    expect(tokens.deadSince('fcm', address?.slice('fcm:'.length) ?? '')).toBeGreaterThan(0)
    expect(phones.arrive(address ?? '', androidPush('m'))).toBe(false)
    expect(phones.list()).toMatchObject([{ installed: false, installationId: null, notifications: [] }])
    phone.reinstall()
    await poll(() => phone.state.isRegistered).toBe(true)
    expect(phone.state.installationId).not.toBe(installationId)
    expect(phone.state.deviceToken).not.toBe(deviceToken)
    expect(await readInstallation(phone.state.installationId)).toMatchObject({ launchCount: 1 })
  })
})

describe('a service that is away or has forgotten', () => {
  it('hears of everything when it is there', async () => {
    const phones = openPhones({ service: { baseUrl: `http://127.0.0.1:${await freePort()}`, clientKey } })
    const { id } = phones.add({ platform: 'android', userId: 'waiting' })
    const phone = phones.find(id) as Phone
    await poll(() => phone.state.deviceToken).not.toBeNull()
    arrive(phones, phone, androidPush('0199d3c8-7f00-7000-8000-000000000009'))
    expect(phone.state.receipts).toHaveLength(1)
    phones.useService({ baseUrl, clientKey })
    await poll(() => phone.state.isRegistered).toBe(true)
    await poll(() => phone.state.receipts).toEqual([])
  })

  it('is told again by a phone that it does not know any more', async () => {
    const first = openPhones()
    const { state } = await addPhone(first)
    first.close()
    const unknownId = '0199d3c8-7f00-4000-8000-00000000000a'
    const phones = openPhones({ kept: [{ ...state, installationId: unknownId }] })
    phones.useService({ baseUrl, clientKey })
    await poll(() => phones.states()[0]?.isRegistered).toBe(true)
    const { installationId = null } = { ...phones.list()[0] }
    expect(installationId).not.toBe(unknownId)
    expect(await readInstallation(installationId)).toMatchObject({ deviceToken: state.deviceToken })
  })
})

it('makes a browser register without a subscription until the app has a key pair', async () => {
  const phones = openPhones()
  const { id } = phones.add({ platform: 'web', userId: 'browsing' })
  const { state } = phones.find(id) as Phone
  await poll(() => state.installationId).not.toBeNull()
  expect(await readInstallation(state.installationId)).not.toHaveProperty('deviceToken')
  const { body } = await call('PUT', '/api/providers/webpush', { subject: 'mailto:test@example.com' })
  await poll(() => state.vapidKey).toBe(body.shown.publicKey)
  await poll(() => state.isRegistered).toBe(true)
  const { endpoint, keys } = JSON.parse((await readInstallation(state.installationId)).deviceToken)
  expect(keys).toEqual({ p256dh: expect.any(String), auth: expect.any(String) })
  expect(tokens.read('webpush', endpoint)).toMatchObject({ vapidKeyHash: expect.any(String) })
})

it('tells whoever watches of every change', async () => {
  const phones = openPhones()
  const seen: string[] = []
  phones.watch((change) => seen.push(change.kind === 'changed' ? `${change.phone.userId} changed` : 'removed'))
  const phone = await addPhone(phones, 'android', 'watched')
  phones.remove(phone)
  expect(new Set(seen)).toEqual(new Set(['watched changed', 'removed']))
  expect(phones.list()).toEqual([])
})
