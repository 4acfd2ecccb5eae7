import { describe, expect, it } from 'vitest'
import { registerDevice } from '../helpers/devices.ts'
import { createTestServer } from '../helpers/service/test-server.ts'

const { call, callAsClient } = await createTestServer()
const eventsOf = async (query: string) => (await call('GET', `/api/events?${query}`)).body.data

describe('POST /api/installations/track [interface.md#45-track-an-event]', () => {
  it('stores an event with its data, and the receive time when no time came', async () => {
    await registerDevice(callAsClient, { userId: 'a' })
    const before = Date.now()
    const { status, body } = await call('POST', '/api/installations/track', {
      userId: 'a',
      eventName: 'AddToCart',
      eventData: { item: 'shoes', price: 9.5, gift: true, sizes: ['s', 'm'], at: '2026-01-02T03:04:05Z' },
    })
    expect(status).toBe(200)
    expect(body).toEqual({ queued: true, n: 1, id: expect.any(String) })
    const [event] = await eventsOf('userId=a')
    expect(event).toMatchObject({
      id: body.id,
      eventName: 'AddToCart',
      eventData: { item: 'shoes', price: 9.5, gift: true, sizes: ['s', 'm'], at: '2026-01-02T03:04:05Z' },
    })
    expect(event.eventTime).toBeGreaterThanOrEqual(before)
  })

  it('stores the given time', async () => {
    await call('POST', '/api/installations/track', { userId: 'a', eventName: 'Timed', eventTime: 1_700_000_000_000 })
    expect((await eventsOf('userId=a&eventName=Timed'))[0].eventTime).toBe(1_700_000_000_000)
  })

  it('takes an event by userId to the last device the user logged in with', async () => {
    const first = await registerDevice(callAsClient, { userId: 'b' })
    const second = await registerDevice(callAsClient, { userId: 'b' })
    await call('POST', '/api/installations/track', { userId: 'b', eventName: 'One' })
    expect((await eventsOf('userId=b&eventName=One'))[0].installationId).toBe(second.id)
    await callAsClient('PUT', `/api/installations/${first.id}`, { userId: 'other', isGuest: false })
    await callAsClient('PUT', `/api/installations/${first.id}`, { userId: 'b', isGuest: false })
    await call('POST', '/api/installations/track', { userId: 'b', eventName: 'Two' })
    expect((await eventsOf('userId=b&eventName=Two'))[0].installationId).toBe(first.id)
  })

  it('takes an event by installationId to that device', async () => {
    const first = await registerDevice(callAsClient, { userId: 'c' })
    await registerDevice(callAsClient, { userId: 'c' })
    await call('POST', '/api/installations/track', { installationId: first.id, eventName: 'Here' })
    expect(await eventsOf(`installationId=${first.id}`)).toMatchObject([
      { eventName: 'Here', userId: 'c', installationId: first.id },
    ])
  })

  it('keeps the event of a user without devices, and gives it to the first device that logs in', async () => {
    await call('POST', '/api/installations/track', { userId: 'late', eventName: 'Early' })
    expect((await eventsOf('userId=late'))[0].installationId ?? null).toBeNull()
  })

  it.each([
    [{ eventName: 'x' }, 400],
    [{ userId: 'a' }, 400],
    [{ userId: 'a', eventName: '' }, 400],
    [{ userId: 'a', eventName: 'x', eventTime: 'yesterday' }, 400],
    [{ userId: 'a', eventName: 'x', eventTime: 915_148_800_000 }, 400],
    [{ userId: 'a', eventName: 'x', eventTime: Date.now() + 2 * 86_400_000 }, 400],
    [{ userId: 'a', eventName: 'x', eventData: { nested: { a: 1 } } }, 400],
    [{ userId: 'a', eventName: 'x', eventData: { mixed: ['a', 1] } }, 400],
    [{ userId: 'a', eventName: 'x', eventData: [1] }, 400],
    [{ installationId: '00000000-0000-4000-8000-000000000000', eventName: 'x' }, 404],
    [{ installationId: 'not-a-uuid', eventName: 'x' }, 404],
  ])('refuses %j with %i', async (body, status) => {
    expect((await call('POST', '/api/installations/track', body)).status).toBe(status)
  })

  it('warns of seconds and of changing types', async () => {
    const seconds = await call('POST', '/api/installations/track', {
      userId: 'a',
      eventName: 'Sec',
      eventTime: 1_700_000_000,
    })
    expect(seconds.body.warnings).toHaveLength(1)
    expect((await eventsOf('userId=a&eventName=Sec'))[0].eventTime).toBe(1_700_000_000_000)
    await call('POST', '/api/installations/track', { userId: 'a', eventName: 'Typed', eventData: { size: 1 } })
    const changed = await call('POST', '/api/installations/track', {
      userId: 'a',
      eventName: 'Typed',
      eventData: { size: 'large' },
    })
    expect(changed.status).toBe(200)
    expect(changed.body.warnings[0]).toContain('size')
  })
})

describe('revenue [interface.md#46-track-a-purchase, interface.md#47-track-revenue]', () => {
  const count = async (name: string, operator: string, value: unknown) =>
    (await call('POST', '/api/segments/count', { segment: { all: [{ name, operator, value }] } })).body.count

  it('is counted by trackPurchase under its event name, and as a purchase', async () => {
    await registerDevice(callAsClient, { userId: 'buyer' })
    const { body } = await call('POST', '/api/installations/trackPurchase', {
      userId: 'buyer',
      eventName: 'Subscribe',
      revenue: 12.5,
      currency: 'EUR',
      eventData: { plan: 'pro' },
    })
    expect(body).toMatchObject({ queued: true, n: 1 })
    expect((await eventsOf('userId=buyer'))[0]).toMatchObject({
      eventName: 'Subscribe',
      revenue: 12.5,
      currency: 'EUR',
      eventData: { plan: 'pro' },
    })
    expect(await count('subscribe.sum', 'equal_to', 12.5)).toBe(1)
    expect(await count('purchase.count', 'equal_to', 1)).toBe(1)
  })

  it('is counted by trackRevenue as an event named Purchase', async () => {
    await registerDevice(callAsClient, { userId: 'payer' })
    await call('POST', '/api/installations/trackRevenue', {
      userId: 'payer',
      revenue: '30',
      currency: 'rial',
      eventName: 'ignored',
    })
    expect((await eventsOf('userId=payer'))[0]).toMatchObject({ eventName: 'Purchase', revenue: 30, currency: 'rial' })
    expect(await count('purchase.lastValue', 'equal_to', 30)).toBe(1)
  })

  it.each([
    ['trackPurchase', { userId: 'u', eventName: 'x' }],
    ['trackPurchase', { userId: 'u', revenue: 5 }],
    ['trackRevenue', { userId: 'u' }],
    ['trackRevenue', { revenue: 5 }],
    ['trackRevenue', { userId: 'u', revenue: 'much' }],
  ])('%s refuses %j', async (operation, body) => {
    expect((await call('POST', `/api/installations/${operation}`, body)).status).toBe(400)
  })

  it('comes in bulk', async () => {
    await registerDevice(callAsClient, { userId: 'bulk' })
    const events = [
      { userId: 'bulk', eventName: 'Seen' },
      { userId: 'bulk', eventName: 'Paid', revenue: 3 },
      { userId: 'bulk', revenue: 4 },
    ]
    const answer = await call('POST', '/api/installations/trackBulk', events)
    expect(answer.body).toEqual({ queued: true, n: 3 })
    expect(await eventsOf('userId=bulk')).toHaveLength(3)
    const broken = await call('POST', '/api/installations/trackBulk', [...events, { eventName: 'nobody' }])
    expect(broken.status).toBe(400)
    expect(broken.body.error.details.index).toBe(3)
    expect(await eventsOf('userId=bulk')).toHaveLength(3)
  })
})
