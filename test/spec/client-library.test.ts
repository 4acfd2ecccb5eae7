import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createTestApp, createTestToken } from '../helpers/database/test-store.ts'
import { registerDevice } from '../helpers/devices.ts'
import { caller, createTestServer } from '../helpers/service/test-server.ts'

const { call, callAsClient, baseUrl, store } = await createTestServer()

describe('an installation', () => {
  it('registers as a guest, logs in, logs out, and is found again', async () => {
    const guest = await registerDevice(callAsClient, {
      deviceType: 'web',
      uniqueId: 'u-1',
      brandNewField: { kept: true },
    })
    expect(guest.id).toMatch(/^[0-9a-f-]{36}$/)
    expect(guest.userId).toBeTruthy()
    const loggedIn = await callAsClient('PUT', `/api/installations/${guest.id}`, {
      userId: 'me',
      isGuest: false,
      isLoggedIn: false,
    })
    expect(loggedIn.body).toMatchObject({ id: guest.id, userId: 'me' })
    expect((await call('GET', '/api/installations/fetchByUserId/me')).body).toMatchObject([
      { id: guest.id, brandNewField: { kept: true } },
    ])
    await callAsClient('PUT', `/api/installations/${guest.id}`, { userId: 'guest-x', isGuest: true })
    expect((await call('GET', '/api/installations/fetchByUserId/me')).body).toEqual([])
  })

  it('that is unknown is 404, so that the client registers again', async () => {
    expect(
      (await callAsClient('PUT', '/api/installations/00000000-0000-4000-8000-000000000000', { deviceType: 'web' }))
        .status,
    ).toBe(404)
    expect((await callAsClient('GET', '/api/installations/nonsense')).status).toBe(404)
  })

  it('has a push token that only the newest registration keeps', async () => {
    const first = await registerDevice(callAsClient, { userId: 't1', deviceToken: 'token-1' })
    const second = await registerDevice(callAsClient, { userId: 't2', deviceToken: 'token-1' })
    expect((await call('GET', `/api/installations/fetchById/${first.id}`)).body.deviceToken ?? null).toBeNull()
    expect((await call('GET', `/api/installations/fetchById/${second.id}`)).body.deviceToken).toBe('token-1')
    const updated = await callAsClient('POST', '/api/installations/updateDeviceToken', {
      installationId: first.id,
      userId: 't1',
      deviceToken: 'token-2',
      deviceType: 'android',
    })
    expect(updated.status).toBe(200)
    expect((await call('GET', `/api/installations/fetchById/${first.id}`)).body.deviceToken).toBe('token-2')
  })

  it('has a known device type, or one that begins with "other:"', async () => {
    const register = (deviceType: unknown) => callAsClient('POST', '/api/installations', { deviceType })
    for (const [sent, kept] of [
      ['Android', 'android'],
      ['iOS', 'ios'],
      ['web', 'web'],
      ['tizen', 'tizen'],
      ['other:Kiosk-2', 'other:kiosk-2'],
    ]) {
      expect((await register(sent)).body).toMatchObject({ deviceType: kept })
    }
    const device = await registerDevice(callAsClient, { deviceType: 'ios' })
    const change = (deviceType: unknown) =>
      Promise.all([
        register(deviceType),
        callAsClient('PUT', `/api/installations/${device.id}`, { deviceType }),
        callAsClient('POST', '/api/installations/updateDeviceToken', {
          ...{ installationId: device.id, deviceToken: 'token-of-a-type', deviceType },
        }),
      ])
    for (const unknown of [
      'bogus',
      '11',
      11,
      ' android',
      'other:',
      'other:a b',
      `other:${'x'.repeat(65)}`,
      'other',
      '',
    ]) {
      for (const { status, body } of await change(unknown)) {
        expect(status, `${unknown}`).toBe(400)
        expect(body.error.message).toMatch(/^"deviceType": expected "android", "ios", .* or "other:" and a name/)
      }
    }
    expect((await call('GET', `/api/installations/fetchById/${device.id}`)).body.deviceType).toBe('ios')
  })

  it('is listed by the ids a client names', async () => {
    const device = await registerDevice(callAsClient, { userId: 'listed' })
    const filter = encodeURIComponent(JSON.stringify({ where: { id: { inq: [device.id] } } }))
    expect((await callAsClient('GET', `/api/installations?filter=${filter}`)).body).toMatchObject([{ id: device.id }])
  })

  it('that unregisters is in the uninstall report, and in no count', async () => {
    const device = await registerDevice(callAsClient, { userId: 'leaver' })
    const from = Date.now() - 60_000
    await callAsClient('DELETE', `/api/installations/${device.id}`)
    const report = async (type: string) =>
      (
        await call(
          'GET',
          `/api/installations/v1/uninstall/report/${Date.now() + 60_000}/${from}?limit=25&offset=0${type}`,
        )
      ).body
    expect(await report('')).toMatchObject({
      data: expect.arrayContaining([
        expect.objectContaining({
          time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          installationId: device.id,
          userId: 'leaver',
          deviceType: 'android',
        }),
      ]),
    })
    expect((await report('&type=churn')).data.map((row: { installationId: string }) => row.installationId)).toContain(
      device.id,
    )
    await callAsClient('PUT', `/api/installations/${device.id}`, { deviceType: 'android' })
    expect((await call('POST', '/api/push/toUsers', { user: 'leaver', content: 'back' })).body.count).toBe(1)
  })
})

describe('attribute operations', () => {
  it('set, unset, add to and remove from lists, and count', async () => {
    const { id } = await registerDevice(callAsClient, { userId: 'ops' })
    const info = async () => (await callAsClient('GET', `/api/installations/${id}`)).body.userInfo
    const change = (data: object, keys: object = {}) =>
      callAsClient('PUT', '/api/installations/userInfo', { installationId: id, data, __meta: { keys } })
    expect((await change({ name: 'Sara', born: 641_952_000_000 }, { born: { type: 'date' } })).status).toBe(200)
    expect(await info()).toMatchObject({ name: 'Sara', born: new Date(641_952_000_000).toISOString() })
    await change({}, { likes: { type: 'array', operation: 'addToArray', value: ['tea', 'books'] } })
    await change(
      {},
      { likes: { type: 'array', operation: 'removeFromArray', value: ['tea'] }, name: { operation: 'unset' } },
    )
    await callAsClient('POST', '/api/installations/incrementAttribute', {
      installationId: id,
      attributes: [{ attribute: 'points', value: 5 }],
    })
    await callAsClient('POST', '/api/installations/incrementAttribute', {
      installationId: id,
      attributes: [{ attribute: 'points', value: -2 }],
    })
    const result = await info()
    expect(result).toMatchObject({ likes: ['books'], points: 3 })
    expect(result.name).toBeUndefined()
  })
})

describe('the events batch', () => {
  it('stores each event once, whatever is repeated', async () => {
    const { id } = await registerDevice(callAsClient, { userId: 'batch' })
    const batch = {
      userId: 'batch',
      installationId: id,
      deviceType: 'android',
      sessionId: 's',
      createdAt: 'any string',
      eventData: [
        { type: 2, data: { id: 'e1', eventName: 'Seen', createdAt: Date.now(), data: { page: 'home' } } },
        {
          type: 2,
          data: {
            id: 'e2',
            eventName: 'Bought',
            createdAt: 'nonsense',
            data: { isRevenue: true, value: 9.5, currency: 'EUR' },
          },
        },
        { type: 2, data: { id: 'e3', eventName: 'Empty', data: [] } },
      ],
    }
    expect((await callAsClient('POST', '/api/installations/events', batch)).status).toBe(200)
    expect((await callAsClient('POST', '/api/installations/events', batch)).status).toBe(200)
    const events = (await call('GET', `/api/events?installationId=${id}`)).body.data
    expect(events.map((event: { eventName: string }) => event.eventName).sort()).toEqual(['Bought', 'Empty', 'Seen'])
    expect(events.find((event: { eventName: string }) => event.eventName === 'Bought')).toMatchObject({
      revenue: 9.5,
      currency: 'EUR',
    })
  })

  it.each([
    [
      {
        eventData: [
          { type: 9 },
          null,
          5,
          { type: 2 },
          { type: 2, data: { eventName: 5 } },
          { type: 1, actionType: 'OPENED', msgId: 'nonsense' },
        ],
      },
    ],
    [{ eventData: [] }],
  ])('is never a 5xx: %j', async (body) => {
    const { id } = await registerDevice(callAsClient, {})
    expect(
      (await callAsClient('POST', '/api/installations/events', { installationId: id, ...body })).status,
    ).toBeLessThan(500)
  })
})

describe('identity verification', () => {
  it('lets a client log in only with the hash of its user', async () => {
    const ctx = await createTestApp(store)
    const backEnd = caller(baseUrl, await createTestToken(ctx))
    const verified = caller(baseUrl, await createTestToken(ctx, ['client']))
    const { identitySecret } = (await backEnd('PUT', '/api/app', { identityVerification: true })).body
    const userHash = createHmac('sha256', identitySecret).update('vera').digest('hex')
    const register = (body: object) =>
      verified('POST', '/api/installations', { deviceType: 'web', isGuest: false, ...body })
    expect((await register({ userId: 'vera' })).status).toBe(403)
    expect(
      (await register({ userId: 'vera', userHash: userHash.replace(/.$/, (last) => (last === '0' ? '1' : '0')) }))
        .status,
    ).toBe(403)
    const { body } = await register({ userId: 'vera', userHash })
    expect((await verified('POST', '/api/installations/addTags', { userId: 'vera', tags: ['x'] })).status).toBe(403)
    expect(
      (await verified('POST', '/api/installations/addTags', { userId: 'vera', installationId: body.id, tags: ['x'] }))
        .status,
    ).toBe(200)
    expect((await verified('POST', '/api/installations', { deviceType: 'web' })).status).toBe(200)
  })

  it('is switched, and its secret replaced, while clients come and go: it counts at once', async () => {
    const ctx = await createTestApp(store)
    const backEnd = caller(baseUrl, await createTestToken(ctx))
    const client = caller(baseUrl, await createTestToken(ctx, ['client']))
    const logIn = async (userHash?: string) =>
      (await client('POST', '/api/installations', { deviceType: 'web', isGuest: false, userId: 'vera', userHash }))
        .status
    const hash = (secret: string) => createHmac('sha256', secret).update('vera').digest('hex')
    expect(await logIn()).toBe(200)
    const { identitySecret: first } = (await backEnd('PUT', '/api/app', { identityVerification: true })).body
    expect(await logIn()).toBe(403)
    expect(await logIn(hash(first))).toBe(200)
    const { identitySecret: second } = (await backEnd('POST', '/api/app/identitySecret')).body
    expect(await logIn(hash(first))).toBe(403)
    expect(await logIn(hash(second))).toBe(200)
    expect((await backEnd('GET', '/api/app')).body).not.toHaveProperty('identitySecret')
    await backEnd('PUT', '/api/app', { identityVerification: false })
    expect(await logIn()).toBe(200)
    expect((await client('PUT', '/api/app', { identityVerification: true })).status).toBe(403)
    expect((await client('POST', '/api/app/identitySecret')).status).toBe(403)
  })
})

describe("one user's data", () => {
  it('is exported and deleted with one call each', async () => {
    const { id } = await registerDevice(callAsClient, { userId: 'privacy' })
    await call('POST', '/api/installations/addTags', { userId: 'privacy', tags: ['vip'] })
    await call('POST', '/api/installations/attributes', { userId: 'privacy', attributes: { name: 'P' } })
    await call('POST', '/api/installations/track', { userId: 'privacy', eventName: 'Seen' })
    await call('POST', '/api/push/toUsers', { user: 'privacy', content: 'private' })
    const exported = JSON.stringify((await call('GET', '/api/users/privacy/export')).body)
    for (const piece of [id, 'vip', 'Seen', 'private']) expect(exported).toContain(piece)
    expect((await call('DELETE', '/api/users/privacy')).status).toBe(200)
    expect((await call('GET', '/api/users/privacy/export')).status).toBe(404)
    expect((await call('GET', `/api/installations/fetchById/${id}`)).status).toBe(404)
    expect((await call('GET', '/api/events?userId=privacy')).body.data).toEqual([])
    expect((await call('GET', '/api/messages?user=privacy')).body.data).toEqual([])
  })
})
