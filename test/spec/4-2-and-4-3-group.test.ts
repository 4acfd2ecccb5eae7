import { beforeAll, describe, expect, it } from 'vitest'
import { registerDevice } from '../helpers/devices.ts'
import { createTestServer } from '../helpers/service/test-server.ts'

const { call, callAsClient } = await createTestServer()
const HOUR = 3_600_000

beforeAll(async () => {
  const now = Date.now()
  await registerDevice(callAsClient, {
    userId: 'u1',
    deviceType: 'android',
    installDate: now - 2 * HOUR,
    launchTime: now - HOUR,
    clientVersion: '1.9',
    osVersion: '14',
  })
  await registerDevice(callAsClient, {
    userId: 'u2',
    deviceType: 'ios',
    installDate: now - 5 * HOUR,
    launchCount: 7,
    clientVersion: '1.10',
    osVersion: '17.2',
  })
  await registerDevice(callAsClient, {
    userId: 'u3',
    deviceType: 'android',
    installDate: now - 7 * HOUR,
    launchTime: now - 6 * HOUR,
    clientVersion: '2.0',
  })
  await call('POST', '/api/installations/addTags', { userId: 'u1', tags: ['vip', 'news'] })
  await call('POST', '/api/installations/addTags', { userId: 'u3', tags: ['news'] })
  await call('POST', '/api/installations/trackRevenue', { userId: 'u3', revenue: 10 })
  await call('POST', '/api/installations/trackPurchase', {
    userId: 'u3',
    eventName: 'Subscribe',
    revenue: 20,
    currency: 'EUR',
  })
})

const rule = (name: string, operator: string, value: unknown) => ({ name, operator, value })
const byRules = (...all: unknown[]) => call('POST', '/api/push/byQuery', { content: 'hello', segment: { all } })

describe('POST /api/push/byQuery [interface.md#43-send-a-message-to-a-group]', () => {
  it.each([
    ['installs of the last 6 hours', [rule('installDate', 'after', '6h')], 2],
    ['older installs', [rule('installDate', 'before', '6h')], 1],
    ['last visits', [rule('launchTime', 'after', '2h')], 2],
    ['numbers of visits', [rule('launchCount', 'greater_equals', 7)], 1],
    ['numbers as text', [rule('launchCount', 'lesser_than', '7')], 2],
    ['one tag', [rule('tags', 'equal_to', 'vip')], 1],
    ['one of several tags', [rule('tags', 'include', ['vip', 'news'])], 2],
    ['none of several tags', [rule('tags', 'not_include', ['vip', 'other'])], 2],
    ['a device type', [rule('deviceType', 'equal_to', 'android')], 2],
    ['another device type', [rule('deviceType', 'not_equal', 'android')], 1],
    ['versions as numbers', [rule('clientVersion', 'greater_than', '1.9')], 2],
    ['versions up to', [rule('clientVersion', 'lesser_equals', '1.10')], 2],
    ['an OS version that some do not have', [rule('osVersion', 'greater_equals', '14')], 2],
    ['purchases', [rule('purchase.count', 'greater_equals', 2)], 1],
    ['no purchases', [rule('purchase.count', 'equal_to', 0)], 2],
    [
      'several rules at once',
      [rule('deviceType', 'equal_to', 'android'), rule('tags', 'include', ['vip']), rule('installDate', 'after', '6h')],
      1,
    ],
  ])('finds %s', async (_title, rules, count) => {
    const { status, body } = await byRules(...rules)
    expect({ status, count: body.count }).toEqual({ status: 200, count })
  })

  it('takes a target instead: a filter, everybody, or a saved segment', async () => {
    const byTarget = async (target: unknown) =>
      (await call('POST', '/api/push/byQuery', { content: 'x', target })).body.count
    expect(await byTarget({ deviceType: 'ios' })).toBe(1)
    expect(await byTarget({ deviceType: { inq: ['android', 'ios'] }, launchCount: { gt: 5 } })).toBe(1)
    expect(await byTarget({})).toBe(3)
    expect(await byTarget('{}')).toBe(3)
    const saved = await call('POST', '/api/segments', {
      name: 'vips',
      segment: { all: [rule('tags', 'equal_to', 'vip')] },
    })
    expect(await byTarget('vips')).toBe(1)
    expect(await byTarget(saved.body.id)).toBe(1)
  })

  it('creates a campaign for its trackId', async () => {
    await call('POST', '/api/push/byQuery', { content: 'x', target: {}, trackId: 'autumn' })
    expect((await call('GET', '/api/campaigns/autumn')).body).toMatchObject({ trackId: 'autumn' })
  })

  it.each([
    [{ content: 'x' }, /target.*segment/],
    [
      { content: 'x', target: {}, segment: { all: [rule('tags', 'equal_to', 'a')] } },
      /target.*segment|segment.*target/,
    ],
    [{ target: {} }, /content/],
    [{ content: 'x', target: {}, user: 'u1' }, /user/],
    [{ content: 'x', segment: { all: [rule('installDate', 'after', '6')] } }, /number of hours such as "6h", got "6"/],
    [{ content: 'x', segment: { all: [rule('nonsense', 'equal_to', 1)] } }, /nonsense/],
    [{ content: 'x', segment: { all: [rule('deviceType', 'greater_than', 'a')] } }, /equal_to/],
    [{ content: 'x', segment: { all: [{ ...rule('tags', 'equal_to', 'a'), oprator: 1 }] } }, /oprator/],
    [{ content: 'x', segment: { all: [] } }, /rule/],
    [{ content: 'x', target: 'no such segment' }, /no such segment/],
  ])('refuses %j', async (body, message) => {
    const answer = await call('POST', '/api/push/byQuery', body)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(answer.body.error.message).toMatch(message)
  })
})

describe('POST /api/push/notifyUsers [interface.md#42-send-a-notification]', () => {
  const notify = (body: unknown) => call('POST', '/api/push/notifyUsers', body)

  it('takes every body of toUsers', async () => {
    expect((await notify({ user: 'u1', content: 'x' })).body.count).toBe(1)
    expect((await notify({ users: ['u1', 'u2'], content: 'x' })).body.count).toBe(2)
    expect(
      (
        await notify([
          { user: 'u1', content: 'x' },
          { user: 'u9', content: 'y' },
        ])
      ).body.map((one: { count: number }) => one.count),
    ).toEqual([1, 0])
  })

  it('takes the group body of byQuery', async () => {
    expect(
      (await notify({ content: 'x', segment: { all: [rule('deviceType', 'equal_to', 'android')] } })).body.count,
    ).toBe(2)
    expect((await notify({ content: 'x', target: { deviceType: 'ios' } })).body.count).toBe(1)
  })

  it('keeps what it sent as a notification', async () => {
    const { body } = await notify({ user: 'u1', content: 'x', notification: { title: 't' } })
    expect((await call('GET', `/api/messages/${body.id}`)).body.product).toBe('notification')
  })

  it('has short forms for one user and for a fallback', async () => {
    expect((await call('POST', '/api/push/notifyUser/u1', { title: 'Hi', body: 'there' })).body.count).toBe(1)
    const { body } = await call('POST', '/api/push/notifyToUsers', {
      users: ['u1'],
      content: 'x',
      fallback: { content: 'sms' },
    })
    expect(body).toEqual({ id: expect.any(String), count: 1 })
  })
})

describe('what becomes of a message', () => {
  it('is found by its trackId, clientId and user', async () => {
    const { body } = await call('POST', '/api/push/toUsers', {
      user: 'u2',
      content: 'find me',
      trackId: 'found',
      clientId: 'mine',
    })
    for (const query of ['trackId=found', 'clientId=mine', 'user=u2&trackId=found']) {
      const found = (await call('GET', `/api/messages?${query}`)).body.data
      expect(found.map((message: { id: string }) => message.id)).toEqual([body.id])
    }
  })

  it('is cancelled while it is not sent', async () => {
    const { body } = await call('POST', '/api/push/toUsers', { users: ['u1', 'u2'], content: 'wait' })
    expect((await call('GET', `/api/messages/${body.id}`)).body.states.queued).toBe(2)
    expect((await call('DELETE', `/api/messages/${body.id}`)).status).toBe(200)
    const deliveries = (await call('GET', `/api/messages/${body.id}/deliveries`)).body.data
    expect(deliveries).toHaveLength(2)
    for (const delivery of deliveries) expect(delivery.reason ?? delivery.state).toBe('cancelled')
  })

  it('moves forward with what the device reports', async () => {
    const device = await registerDevice(callAsClient, { userId: 'reporter' })
    const { body } = await call('POST', '/api/push/toUsers', { user: 'reporter', content: 'look' })
    const receipt = (actionType: string) => ({ type: 1, actionType, msgId: body.id, actionTs: Date.now() })
    await callAsClient('POST', '/api/installations/events', {
      userId: 'reporter',
      installationId: device.id,
      deviceType: 'android',
      eventData: [receipt('OPENED'), receipt('SHOWN')],
    })
    const { states } = (await call('GET', `/api/messages/${body.id}`)).body
    expect(states).toMatchObject({ delivered: 1, shown: 1, opened: 1, queued: 0 })
  })
})
