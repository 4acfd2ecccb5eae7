import { randomBytes } from 'node:crypto'
import {
  clientIdOf,
  connectRaw,
  createConnectionServerForTest,
  leaveMessage,
  openConnectionServer,
  readDelivery,
} from '@peyk/test/connection.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import { freePort } from '@peyk/test/service/service-process.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { createSubscriber } from '../phone-subscriber.ts'
import { Tokens } from '../providers/tokens.ts'
import type { Phone } from './phone.ts'
import { Phones } from './phones.ts'

const { baseUrl, tcpUrl, port, clientKey, call, ctx, store } = await createConnectionServerForTest()
const service = { baseUrl, clientKey, mqttUrl: tcpUrl }
const subscriber = createSubscriber(new Tokens(randomBytes(32), 'http://localhost:1'))
const opened: Phones[] = []
afterAll(() => {
  for (const phones of opened) phones.close()
})

function openPhones(options: Partial<ConstructorParameters<typeof Phones>[0]> = {}): Phones {
  const phones = new Phones({ kept: [], subscriber, service, ...options })
  opened.push(phones)
  return phones
}

let users = 0

async function addPhone(phones = openPhones(), provider: 'none' | 'fcm' = 'none'): Promise<Phone> {
  const { id } = phones.add({ platform: 'android', userId: `holder-${++users}`, provider })
  const phone = phones.find(id) as Phone
  await poll(() => (provider === 'none' ? phone.view().connected : phone.state.isRegistered)).toBe(true)
  return phone
}

const readInstallation = async ({ state }: Phone) =>
  (await call('GET', `/api/installations/fetchById/${state.installationId}`)).body
const leave = (phone: Phone, body: Record<string, unknown> = { content: 'Hello' }) =>
  leaveMessage(ctx, phone.state.installationId as string, { body })
const shownBy = (phone: Phone) => phone.view().notifications.map(({ messageId }) => messageId)
const stateOf = async (messageId: string) => (await readDelivery(ctx, messageId))?.state
/** Whether the service takes the app for open: a live message counts whoever is. */
const isOpen = async ({ state }: Phone) =>
  (await call('POST', '/api/push/toUsers', { user: state.userId, content: 'now', live: true })).body.count === 1

describe('a phone without a provider', () => {
  it('registers without a token and holds the connection while the app is closed', async () => {
    const phone = await addPhone()
    const { id, userId, installationId } = phone.state
    expect(phone.view()).toEqual({
      id,
      name: 'Android phone without Google services',
      platform: 'android',
      provider: 'none',
      path: 'connection',
      userId,
      installationId,
      permission: 'allowed',
      online: true,
      installed: true,
      app: 'closed',
      connected: true,
      connectionFault: null,
      notifications: [],
      messages: [],
    })
    await poll(() => readInstallation(phone)).toMatchObject({
      deviceType: 'android',
      tokenStatus: 'NOT_SUPPORTED:no push provider on this phone',
      deviceManufacturer: 'Huawei',
      connected: true,
    })
    expect(await readInstallation(phone)).not.toHaveProperty('deviceToken')
    await poll(() => isOpen(phone)).toBe(false)
  })

  it('shows what comes over the connection, and tells what became of it', async () => {
    const phone = await addPhone()
    const notification = { title: 'Order 42', body: 'On its way', actions: [{ id: 'where', title: 'Where is it?' }] }
    const messageId = await leave(phone, { content: 'On its way', notification })
    await poll(() => phone.view().notifications).toMatchObject([
      { messageId, via: 'connection', title: 'Order 42', body: 'On its way', state: 'shown' },
    ])
    expect(phone.view().messages).toMatchObject([{ messageId, content: 'On its way', silent: false, inApp: false }])
    await poll(() => stateOf(messageId)).toBe('shown')
    phone.takeAction(messageId, 'where')
    await poll(() => stateOf(messageId)).toBe('acted')
    const other = await leave(phone)
    await poll(() => shownBy(phone)).toEqual([messageId, other])
    phone.tap(other)
    await poll(() => stateOf(other)).toBe('opened')
  })

  it('acknowledges a message when it is stored, not before', async () => {
    const storing = Promise.withResolvers<void>()
    const phone = await addPhone(openPhones({ stored: () => storing.promise }))
    const messageId = await leave(phone)
    await poll(() => shownBy(phone)).toEqual([messageId])
    // The receipt that it was shown has come through; the acknowledgement would have come before it.
    await poll(() => stateOf(messageId)).toBe('shown')
    expect((await readDelivery(ctx, messageId))?.in_inbox).toBe(true)
    storing.resolve()
    await poll(async () => (await readDelivery(ctx, messageId))?.in_inbox).toBe(false)
  })

  it('shows a message once that comes again because it was not stored', async () => {
    let tries = 0
    const stored = async () => {
      if (++tries === 1) throw new Error('no space left')
    }
    const phone = await addPhone(openPhones({ stored }))
    const messageId = await leave(phone)
    await poll(async () => (await readDelivery(ctx, messageId))?.in_inbox).toBe(false)
    expect(tries).toBe(2)
    expect([shownBy(phone), phone.view().messages.length]).toEqual([[messageId], 1])
  })

  it('gets what waited when it is back, in its order', async () => {
    const phone = await addPhone()
    phone.goOffline()
    expect(phone.view()).toMatchObject({ online: false, connected: false, connectionFault: null })
    await poll(async () => (await readInstallation(phone)).connected).toBe(false)
    const waiting = [await leave(phone), await leave(phone), await leave(phone)]
    phone.goOnline()
    await poll(() => shownBy(phone)).toEqual(waiting)
    for (const messageId of waiting) await poll(() => stateOf(messageId)).toBe('shown')
  })

  it('gives messages for the open app to the open app, and shows neither them nor silent ones', async () => {
    const phone = await addPhone()
    const inApp = await leave(phone, { content: 'in the app', inApp: true })
    const silent = await leave(phone, { content: 'hush', silent: true })
    await poll(() => stateOf(silent)).toBe('delivered')
    expect(phone.view().messages.map(({ messageId }) => messageId)).toEqual([silent])
    phone.openApp()
    await poll(() => stateOf(inApp)).toBe('delivered')
    await poll(() => isOpen(phone)).toBe(true)
    expect(phone.view()).toMatchObject({ app: 'open', connected: true, messages: [{}, { inApp: true }] })
    expect(shownBy(phone)).not.toContain(inApp)
    expect(shownBy(phone)).not.toContain(silent)
    phone.closeApp()
    await poll(() => isOpen(phone)).toBe(false)
    expect(phone.view()).toMatchObject({ app: 'closed', connected: true })
  })

  it('that may not show notifications takes messages and shows none', async () => {
    const phones = openPhones()
    const { id } = phones.add({ platform: 'android', provider: 'none', userId: 'muted', permission: 'denied' })
    const phone = phones.find(id) as Phone
    await poll(() => phone.view().connected).toBe(true)
    expect(await readInstallation(phone)).toMatchObject({ tokenStatus: 'DENIED' })
    const messageId = await leave(phone)
    await poll(() => stateOf(messageId)).toBe('delivered')
    expect(phone.view()).toMatchObject({ notifications: [], messages: [{ messageId }] })
  })

  it('leaves when the app is removed, and is somebody new when it is installed again', async () => {
    const phone = await addPhone()
    const before = { ...phone.state }
    phone.openApp()
    phone.uninstall()
    expect(phone.view()).toMatchObject({ installed: false, app: 'closed', connected: false, installationId: null })
    expect(() => phone.openApp()).toThrow('The app is not installed')
    const isKnownAsConnected = async () =>
      (await call('GET', `/api/installations/fetchById/${before.installationId}`)).body.connected
    await poll(isKnownAsConnected).toBe(false)
    phone.reinstall()
    await poll(() => phone.view().connected).toBe(true)
    expect(phone.state.installationId).not.toBe(before.installationId)
    const messageId = await leave(phone)
    await poll(() => shownBy(phone)).toEqual([messageId])
  })
})

describe('a connection that ends', () => {
  it('is taken up again by itself, and the closed app stays closed', async () => {
    const phone = await addPhone()
    const rival = await connectRaw(port)
    const { userId, installationId } = phone.state
    const clientId = clientIdOf(ctx, { userId, id: installationId as string })
    const key = { username: clientKey, password: Buffer.from(clientKey) }
    rival.send({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean: false,
      clientId,
      keepalive: 30,
      ...key,
    })
    await poll(() => rival.find('connack')?.returnCode).toBe(0)
    await poll(() => rival.isClosed).toBe(true)
    await poll(() => phone.view()).toMatchObject({ connected: true, connectionFault: null })
    await poll(() => isOpen(phone)).toBe(false)
  })

  it('says why it cannot be taken up, and goes to another service when it is told', async () => {
    const second = await openConnectionServer(store)
    const phones = openPhones({ service: { ...service, mqttUrl: second.tcpUrl } })
    const phone = await addPhone(phones)
    await second.close()
    await poll(() => phone.view()).toMatchObject({
      connected: false,
      connectionFault: 'the service cannot be reached (ECONNREFUSED)',
    })
    const messageId = await leave(phone)
    phones.useService(service)
    await poll(() => shownBy(phone)).toEqual([messageId])
  })

  it('lets a phone register again that the service does not know', async () => {
    const phone = await addPhone()
    opened.at(-1)?.close()
    const unknownId = '0199d3c8-7f00-4000-8000-00000000000b'
    const phones = openPhones({ kept: [{ ...phone.state, installationId: unknownId }] })
    phones.resume()
    await poll(() => phones.list()[0]?.connected).toBe(true)
    expect(phones.list()[0]?.installationId).not.toBe(unknownId)
  })

  it('is nothing that other phones depend on, and comes when it can', async () => {
    const mqttUrl = `mqtt://127.0.0.1:${await freePort()}`
    const phones = openPhones({ service: { ...service, mqttUrl } })
    const { id } = phones.add({ platform: 'android', provider: 'none', userId: 'patient' })
    await poll(() => phones.find(id)?.view().connectionFault).toContain('ECONNREFUSED')
    expect(phones.find(id)?.state.isRegistered).toBe(true)
    phones.useService({ baseUrl, clientKey })
    await poll(() => phones.find(id)?.view().connectionFault).toBeNull()
    phones.useService(service)
    await poll(() => phones.find(id)?.view().connected).toBe(true)
  })
})

describe('a phone with a provider', () => {
  it('holds the connection while the app is open, and shows what a push has shown only once', async () => {
    const phones = openPhones()
    const phone = await addPhone(phones, 'fcm')
    const messageId = await leave(phone)
    const content = { data: { messageId, title: 'Hi', body: 'Hello', tag: messageId } }
    phones.arrive(phone.state.address ?? '', { pushId: 'p', content, expiresAt: null, collapseKey: undefined })
    expect(phone.view()).toMatchObject({ path: 'fcm', app: 'closed', connected: false })
    phone.openApp()
    await poll(() => phone.view()).toMatchObject({ path: 'connection', connected: true, messages: [{ messageId }] })
    expect(phone.view().notifications).toMatchObject([{ messageId, via: 'fcm' }])
    const next = await leave(phone)
    await poll(() => phone.view().notifications).toMatchObject([{ via: 'fcm' }, { messageId: next, via: 'connection' }])
    phone.closeApp()
    expect(phone.view()).toMatchObject({ path: 'fcm', connected: false })
    await poll(async () => (await readInstallation(phone)).connected).toBe(false)
  })
})
