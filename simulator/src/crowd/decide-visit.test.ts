import { expect, it } from 'vitest'
import { decideVisit, type ShopEvent, type Visit } from './decide-visit.ts'

const visits = (readinessToBuy: number, brought: 'byThemselves' | 'byNotification') =>
  Array.from({ length: 5_000 }, (_, index) => decideVisit(`${index}`, { readinessToBuy }, brought))
const shareWith = (all: Visit[], eventName: ShopEvent['eventName']) =>
  all.filter(({ events }) => events.some((event) => event.eventName === eventName)).length / all.length

it.each([
  [0, 'byThemselves', { Search: 0.25, ViewItem: 1, AddToCart: 0.15, Order: 0.045 }],
  [1, 'byThemselves', { Search: 0.25, ViewItem: 1, AddToCart: 0.55, Order: 0.385 }],
  [0, 'byNotification', { Search: 0.15, ViewItem: 0.6, AddToCart: 0.09, Order: 0.027 }],
  [1, 'byNotification', { Search: 0.15, ViewItem: 0.6, AddToCart: 0.33, Order: 0.231 }],
] as const)('who is ready to buy by %d and came %s does %j', (readinessToBuy, brought, expected) => {
  const all = visits(readinessToBuy, brought)
  for (const [eventName, share] of Object.entries(expected))
    expect(Math.abs(shareWith(all, eventName as ShopEvent['eventName']) / share - 1)).toBeLessThan(0.15)
})

it('buys what was looked at and put into the cart, in this order, for a price as it is', () => {
  const buying = visits(0.5, 'byThemselves').filter(({ events }) => events.at(-1)?.eventName === 'Order')
  expect(buying.length).toBeGreaterThan(100)
  for (const { events, endsAfterMs } of buying) {
    const [view, cart, order] = [events.at(0), events.at(-2), events.at(-1)]
    expect(['Search', 'ViewItem']).toContain(view?.eventName)
    expect(cart).toMatchObject({ eventName: 'AddToCart', data: { item: order?.data.item } })
    expect(order?.data).toMatchObject({ isRevenue: true, currency: 'EUR' })
    expect(order?.data.value).toBeCloseTo((cart?.data.value as number) * (order?.data.quantity as number), 2)
    const times = [...events.map(({ afterMs }) => afterMs), endsAfterMs]
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  }
})

it('is the last one of a few who came by themselves', () => {
  const last = visits(0.5, 'byThemselves').filter(({ isLast }) => isLast).length
  expect([last > 3, last < 20]).toEqual([true, true])
  expect(visits(0.5, 'byNotification').some(({ isLast }) => isLast)).toBe(false)
})

it('is decided the same way each time', () => {
  expect(visits(0.5, 'byThemselves')).toEqual(visits(0.5, 'byThemselves'))
})
