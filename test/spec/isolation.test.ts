import { apiRoutes } from '@peyk/server/entry/http/api.ts'
import { clientRoutes } from '@peyk/server/entry/http/client.ts'
import { describe, expect, it } from 'vitest'
import { createTestApp, createTestToken } from '../helpers/database/test-store.ts'
import { registerDevice } from '../helpers/devices.ts'
import { caller, createTestServer } from '../helpers/service/test-server.ts'

const { call, callAsClient, baseUrl, store, clientKey } = await createTestServer()
const other = await createTestApp(store)
const callOther = caller(baseUrl, await createTestToken(other))
const callOtherAsClient = caller(baseUrl, await createTestToken(other, ['client']))

describe('two apps with the same ids', () => {
  it('never see each other', async () => {
    const mine = await registerDevice(callAsClient, { userId: 'same' })
    const theirs = await registerDevice(callOtherAsClient, { userId: 'same' })
    await call('POST', '/api/installations/addTags', { userId: 'same', tags: ['mine'] })
    await call('POST', '/api/installations/attributes', { userId: 'same', attributes: { secret: 'mine' } })
    await call('POST', '/api/installations/track', { userId: 'same', eventName: 'Mine' })
    await call('POST', '/api/campaigns', { trackId: 'same' })
    const segment = await call('POST', '/api/segments', {
      name: 'same',
      segment: { all: [{ name: 'tags', operator: 'equal_to', value: 'mine' }] },
    })
    const message = await call('POST', '/api/push/toUsers', { user: 'same', content: 'mine', trackId: 'same' })
    const repeat = { rule: 'FREQ=DAILY' }
    const { seriesId } = (await call('POST', '/api/push/toUsers', { user: 'same', content: 'mine', repeat })).body

    expect((await callOther('GET', '/api/installations/tags/same')).body).toEqual([])
    expect((await callOther('GET', '/api/installations/tags')).body).toEqual([])
    expect((await callOther('GET', '/api/events?userId=same')).body.data).toEqual([])
    expect((await callOther('GET', '/api/messages?trackId=same')).body.data).toEqual([])
    expect((await callOther('GET', '/api/segments')).body.data ?? []).toEqual([])
    expect((await callOther('GET', '/api/series')).body.data).toEqual([])
    expect((await callOther('GET', '/api/scheduled')).body.data).toEqual([])
    expect((await callOther('POST', '/api/push/toUsers', { user: 'same', content: 'x' })).body.count).toBe(1)
    expect((await callOther('GET', '/api/installations/fetchByUserId/same')).body).toMatchObject([{ id: theirs.id }])
    expect(JSON.stringify((await callOther('GET', '/api/users/same/export')).body)).not.toContain('mine')

    const foreign: [string, string, object?][] = [
      ['GET', `/api/installations/fetchById/${mine.id}`],
      ['GET', `/api/installations/${mine.id}`],
      ['PUT', `/api/installations/${mine.id}`, { deviceType: 'web' }],
      ['DELETE', `/api/installations/${mine.id}`],
      [
        'POST',
        '/api/installations/updateDeviceToken',
        { installationId: mine.id, deviceToken: 't', deviceType: 'android' },
      ],
      ['POST', '/api/installations/track', { installationId: mine.id, eventName: 'x' }],
      ['POST', '/api/installations/attributes', { installationId: mine.id, attributes: { a: 1 } }],
      ['PUT', '/api/installations/userInfo', { installationId: mine.id, data: { a: 1 } }],
      [
        'POST',
        '/api/installations/incrementAttribute',
        { installationId: mine.id, attributes: [{ attribute: 'a', value: 1 }] },
      ],
      ['POST', '/api/installations/events', { installationId: mine.id, eventData: [] }],
      ['GET', `/api/messages/${message.body.id}`],
      ['GET', `/api/messages/${message.body.id}/deliveries`],
      ['DELETE', `/api/messages/${message.body.id}`],
      ['GET', `/api/series/${seriesId}`],
      ['PUT', `/api/series/${seriesId}`, { content: 'taken' }],
      ['POST', `/api/series/${seriesId}/pause`],
      ['POST', `/api/series/${seriesId}/resume`],
      ['POST', `/api/series/${seriesId}/skipNext`],
      ['POST', `/api/series/${seriesId}/end`],
      ['GET', `/api/segments/${segment.body.id}`],
      [
        'PUT',
        `/api/segments/${segment.body.id}`,
        { name: 'taken', segment: { all: [{ name: 'tags', operator: 'equal_to', value: 'x' }] } },
      ],
      ['DELETE', `/api/segments/${segment.body.id}`],
      ['GET', '/api/campaigns/same'],
    ]
    for (const [method, path, body] of foreign) {
      expect([method, path, (await callOther(method, path, body)).status]).toEqual([method, path, 404])
    }
  })
})

describe('a client key', () => {
  const backEndOnly = apiRoutes.filter((route) => !route.scopes.includes('client'))

  it.each(backEndOnly.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'is refused at %s',
    async (_name, route) => {
      const path = route.path.replace(/:\w+/g, 'x')
      const response = await fetch(baseUrl + path, { method: route.method, headers: { 'x-access-token': clientKey } })
      expect(response.status).toBe(403)
    },
  )

  it('opens what the client library calls', () => {
    for (const route of clientRoutes) expect(route.scopes).toContain('client')
  })
})
