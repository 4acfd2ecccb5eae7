import { createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Store } from '@peyk/server/base/store/store.ts'
import { replaceGlobalCodes } from '@peyk/server/features/promo/replace-global-codes.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { createTestApp, createTestToken } from '../helpers/database/test-store.ts'
import { registerDevice } from '../helpers/devices.ts'
import { findBroken } from '../helpers/invariants.ts'
import { caller, createTestServer } from '../helpers/service/test-server.ts'

/** The client key is in every copy of the app: what may whoever has taken it out do? */
const { call, callAsClient, baseUrl, store, ctx } = await createTestServer()

async function openApp(server: { baseUrl: string; store: Store } = { baseUrl, store }) {
  const app = await createTestApp(server.store)
  const backEnd = caller(server.baseUrl, await createTestToken(app))
  const client = caller(server.baseUrl, await createTestToken(app, ['client']))
  return { app, backEnd, client }
}

describe('receipts of strangers', () => {
  it('to a message with one recipient are answered and counted for nothing', async () => {
    const { app, backEnd, client } = await openApp()
    const device = await registerDevice(client, { userId: 'sara' })
    const { body: message } = await backEnd('POST', '/api/push/toUsers', { user: 'sara', content: 'For you' })
    const report = (installationId: string) =>
      client('POST', '/api/installations/events', {
        installationId,
        eventData: [
          ...['DELIVERED', 'SHOWN', 'OPENED', 'DISMISSED'].map((actionType) => ({
            type: 1,
            actionType,
            msgId: message.id,
          })),
          { type: 1, actionType: 'ACTION_TAKEN', msgId: message.id, actionId: 'buy' },
          {
            type: 2,
            data: {
              id: 'e',
              eventName: 'Buy',
              data: { isRevenue: true, value: 1_000_000, currency: 'EUR' },
              influence: { msgId: message.id, direct: true },
            },
          },
        ],
      })
    const strangers = await Promise.all(Array.from({ length: 50 }, () => registerDevice(client)))
    const impostor = await registerDevice(client, { userId: 'sara' })
    const answers = await Promise.all([...strangers, impostor].map(({ id }) => report(id)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(answers[0]?.body).toEqual({ queued: true, n: 1, skipped: 5 })
    const read = async () => (await backEnd('GET', `/api/messages/${message.id}`)).body
    const untouched = await read()
    expect(untouched.states).toMatchObject({ queued: 1, delivered: 0, opened: 0 })
    expect(untouched.actions).toEqual({})
    expect(untouched.influenced).toEqual({ events: 0, directEvents: 0, revenue: {} })
    expect((await report(device.id)).body).toEqual({ queued: true, n: 6, skipped: 0 })
    const own = await read()
    expect(own.states).toMatchObject({ delivered: 1, opened: 1 })
    expect(own.actions).toEqual({ buy: 1 })
    expect(own.influenced).toEqual({ events: 1, directEvents: 1, revenue: { EUR: 1_000_000 } })
    expect(await findBroken(store)).toEqual([])
    expect(await store.query(sql`select from receipts where app_id = ${app.app.id}`)).toHaveLength(5)
  })
})

describe('while identities are not verified, a client key', () => {
  it('neither changes the phone that the back end set, nor reads what no client set', async () => {
    const { backEnd, client } = await openApp()
    const attributes = { phone: '+989121111111', creditLimit: 900, segment: ['gold'] }
    await backEnd('POST', '/api/installations/attributes', { userId: 'sara', attributes })
    const { id } = await registerDevice(client, { userId: 'sara' })
    await backEnd('POST', '/api/installations/attributes', { installationId: id, attributes: { rank: 7 } })
    const info = async () => (await client('GET', `/api/installations/${id}`)).body.userInfo
    const change = (data: object, keys: object = {}) =>
      client('PUT', '/api/installations/userInfo', { installationId: id, data, __meta: { keys } })
    expect(await info()).toEqual({})
    const filter = encodeURIComponent(JSON.stringify({ where: { id: { inq: [id] } } }))
    expect((await client('GET', `/api/installations?filter=${filter}`)).body).toMatchObject([{ userInfo: {} }])

    const warning = expect.stringContaining('"phone" was set by the back end and stays as it is')
    for (const answer of [
      await change({ phone: '+989990000000', city: 'Tehran' }),
      await change({ phone: attributes.phone }),
      await change({}, { phone: { operation: 'unset' } }),
      await change({}, { phone: { type: 'array', operation: 'addToArray', value: ['1'] } }),
      await client('POST', '/api/installations/incrementAttribute', {
        installationId: id,
        attributes: [{ attribute: 'phone', value: 1 }],
      }),
    ]) {
      expect(answer).toMatchObject({ status: 200, body: { count: 1, warnings: [warning] } })
    }
    await client('POST', '/api/installations/incrementAttribute', {
      installationId: id,
      attributes: [{ attribute: 'creditLimit', value: 0 }],
    })
    await change({}, { segment: { type: 'array', operation: 'addToArray', value: ['silver'] } })
    expect(await info()).toEqual({ city: 'Tehran' })
    const known = (await backEnd('GET', `/api/installations/fetchById/${id}`)).body.userInfo
    expect(known).toEqual({ ...attributes, segment: ['gold', 'silver'], rank: 7, city: 'Tehran' })

    await backEnd('POST', '/api/installations/attributes', { userId: 'sara', attributes: { city: 'Tehran' } })
    expect(await info()).toEqual({})
  })

  it('sets a phone that nobody has set, and may change that until the back end does', async () => {
    const { backEnd, client } = await openApp()
    const { id } = await registerDevice(client, { userId: 'omid' })
    const setPhone = (phone: string) =>
      client('PUT', '/api/installations/userInfo', { installationId: id, data: { phone } })
    const phone = async () => (await backEnd('GET', `/api/installations/fetchById/${id}`)).body.userInfo.phone
    expect((await setPhone('+989120000001')).body).toEqual({ count: 1 })
    expect((await setPhone('+989120000002')).body).toEqual({ count: 1 })
    expect(await phone()).toBe('+989120000002')
    await backEnd('POST', '/api/installations/attributes', { userId: 'omid', attributes: { phone: '+989120000002' } })
    expect((await setPhone('+989990000000')).body.warnings).toHaveLength(1)
    expect(await phone()).toBe('+989120000002')
    await backEnd('POST', '/api/installations/attributes', { userId: 'omid', attributes: { phone: null } })
    expect((await setPhone('+989120000003')).body).toEqual({ count: 1 })
  })

  it('is not what a back end is: that reads and changes everything by the same paths', async () => {
    const { backEnd, client } = await openApp()
    const { id } = await registerDevice(client, { userId: 'lale' })
    await backEnd('POST', '/api/installations/attributes', { userId: 'lale', attributes: { phone: '+989120000001' } })
    const data = { phone: '+989120000002' }
    expect((await backEnd('PUT', '/api/installations/userInfo', { installationId: id, data })).body).toEqual({
      count: 1,
    })
    expect((await backEnd('GET', `/api/installations/${id}`)).body.userInfo).toEqual(data)
  })
})

it('with identities verified, a user reads and changes all of their own', async () => {
  const { backEnd, client } = await openApp()
  await backEnd('POST', '/api/installations/attributes', { userId: 'vera', attributes: { phone: '+989120000001' } })
  const { identitySecret } = (await backEnd('PUT', '/api/app', { identityVerification: true })).body
  const userHash = createHmac('sha256', identitySecret).update('vera').digest('hex')
  const { id } = await registerDevice(client, { userId: 'vera', userHash })
  const info = async () => (await client('GET', `/api/installations/${id}`)).body.userInfo
  expect(await info()).toEqual({ phone: '+989120000001' })
  const data = { phone: '+989120000002' }
  expect((await client('PUT', '/api/installations/userInfo', { installationId: id, data })).body).toEqual({ count: 1 })
  expect(await info()).toEqual(data)
  await backEnd('PUT', '/api/app', { identityVerification: false })
  expect(await info()).toEqual({})
})

it('who logged in as a user before identities were verified is still anybody, until the hash is shown', async () => {
  const { backEnd, client } = await openApp()
  await backEnd('POST', '/api/installations/attributes', { userId: 'vera', attributes: { phone: '+989120000001' } })
  const { id } = await registerDevice(client, { userId: 'vera' })
  const { identitySecret } = (await backEnd('PUT', '/api/app', { identityVerification: true })).body
  const userHash = createHmac('sha256', identitySecret).update('vera').digest('hex')
  const info = async () => (await client('GET', `/api/installations/${id}`)).body.userInfo
  const setPhone = async (phone: string) =>
    (await client('PUT', '/api/installations/userInfo', { installationId: id, data: { phone } })).body
  expect(await info()).toEqual({})
  expect((await setPhone('+989990000000')).warnings).toHaveLength(1)
  const update = (body: object) => client('PUT', `/api/installations/${id}`, body)
  await update({ userId: 'vera', launchCount: 2 })
  await update({ userId: 'vera', launchCount: 3, userHash: userHash.replace(/./g, '0') })
  expect(await info()).toEqual({})
  await update({ userId: 'vera', launchCount: 4, userHash })
  expect(await info()).toEqual({ phone: '+989120000001' })
  expect(await setPhone('+989120000002')).toEqual({ count: 1 })
  await update({ isGuest: true })
  expect(await info()).toEqual({})
  expect((await update({ userId: 'vera', isGuest: false })).status).toBe(403)
  await update({ userId: 'vera', isGuest: false, userHash })
  expect(await info()).toEqual({ phone: '+989120000002' })
})

describe('new installations', async () => {
  const limited = await createTestServer({ env: { PEYK_TRUST_PROXY: '127.0.0.1', PEYK_RATE_REGISTRATIONS: '20' } })
  const from = (address: string) => ({ 'x-forwarded-for': address })

  it('are limited by address and client key; those that are known register as often as they like', async () => {
    const { app, backEnd, client } = await openApp(limited)
    const register = (address: string, body: object = {}) =>
      client('POST', '/api/installations', { deviceType: 'android', ...body }, from(address))
    const answers = await Promise.all(Array.from({ length: 25 }, () => register('203.0.113.5')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(5)
    expect(refused[0]?.body.error).toMatchObject({ code: 'too-many-requests' })
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    const rows = await limited.store.query(sql`select from installations where app_id = ${app.app.id}`)
    expect(rows).toHaveLength(20)

    const id = answers.find(({ status }) => status === 200)?.body.id
    expect(await register('203.0.113.5', { id })).toMatchObject({ status: 200, body: { id } })
    expect((await client('PUT', `/api/installations/${id}`, { launchCount: 2 }, from('203.0.113.5'))).status).toBe(200)
    expect((await register('203.0.113.5', { id: '00000000-0000-4000-8000-000000000000' })).status).toBe(429)
    expect((await register('203.0.113.6')).status).toBe(200)
    const asBackEnd = { deviceType: 'android', userId: 'sara' }
    expect((await backEnd('POST', '/api/installations', asBackEnd, from('203.0.113.5'))).status).toBe(200)
    const other = caller(limited.baseUrl, await createTestToken(app, ['client']))
    expect((await other('POST', '/api/installations', asBackEnd, from('203.0.113.5'))).status).toBe(200)
  })

  it('of one IPv6 customer count together', async () => {
    const { client } = await openApp(limited)
    const register = (address: string) => client('POST', '/api/installations', { deviceType: 'android' }, from(address))
    const statuses = async (addresses: string[]) =>
      (await Promise.all(addresses.map(register))).filter(({ status }) => status === 429).length
    expect(await statuses(Array.from({ length: 23 }, (_, index) => `2001:db8:0:7::${index.toString(16)}`))).toBe(3)
    expect(await statuses(['2001:db8:0:8::1'])).toBe(0)
  })
})

describe('an app that withholds promo codes', () => {
  it('says so, and a dry run shows from whom', async () => {
    await replaceGlobalCodes(ctx, { file: Readable.from(['A-1\nB-2\nC-3\n']) })
    await registerDevice(callAsClient, { userId: 'sara' })
    await registerDevice(callAsClient)
    const preview = async () => {
      const sent = { target: {}, content: 'Code {{ promoCode }}' }
      const { body } = await call('POST', '/api/push/byQuery?dryRun=true', sent)
      const withheld = body.outcomes.find(({ reason }: { reason?: string }) => reason === 'promo-withheld')
      return { needed: body.promo.needed, withheld: withheld?.count ?? 0, count: body.count }
    }
    expect(await preview()).toEqual({ needed: 2, withheld: 0, count: 2 })
    expect((await call('PUT', '/api/app', { withholdCodesFromGuests: true })).body).toMatchObject({
      withholdCodesFromGuests: true,
      withholdCodesHours: 0,
    })
    expect(await preview()).toEqual({ needed: 1, withheld: 1, count: 2 })
    await call('PUT', '/api/app', { withholdCodesFromGuests: false, withholdCodesHours: 24 })
    expect(await preview()).toEqual({ needed: 0, withheld: 2, count: 2 })
    await store.query(
      sql`update installations set created_at = now() - interval '25 hours' where app_id = ${ctx.app.id}`,
    )
    expect(await preview()).toEqual({ needed: 2, withheld: 0, count: 2 })
    for (const withholdCodesHours of [-1, 1.5, 8761, 'soon']) {
      expect((await call('PUT', '/api/app', { withholdCodesHours })).status).toBe(400)
    }
    await call('PUT', '/api/app', { withholdCodesHours: 0 })
    expect((await call('GET', '/api/app')).body).toMatchObject({
      withholdCodesFromGuests: false,
      withholdCodesHours: 0,
    })
  })
})
