import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { trackEvent } from '../../events/track/track-event.ts'
import { trackPurchase } from '../../events/track/track-purchase.ts'
import { listEventNames } from './list-event-names.ts'
import { readEvent } from './read-event.ts'

const store = await createTestStore()
const noon = Date.UTC(2026, 10, 15, 12)
const DAY = 86_400_000
const setUp = () => createTestApp(store, { at: () => new Date(noon) })

async function track(ctx: Context, eventName: string, daysAgo: number, times: number, eventData = {}) {
  for (let turn = 0; turn < times; turn++) {
    await trackEvent(ctx, { userId: 'sara', eventName, eventData, eventTime: noon - daysAgo * DAY })
  }
}

describe('the names of events', () => {
  it('come with their counts of 14 days and of those before, the most frequent first', async () => {
    const [ctx, other] = [await setUp(), await setUp()]
    await track(ctx, 'View', 0, 2)
    await track(ctx, 'View', 13, 1)
    await track(ctx, 'View', 14, 9)
    await track(ctx, 'View', 15, 4)
    await track(ctx, 'Search', 1, 5)
    await track(ctx, 'Old', 80, 1)
    await track(ctx, 'Ancient', 100, 1)
    await trackPurchase(ctx, { userId: 'sara', eventName: 'Order', revenue: 5 })
    await track(other, 'Theirs', 0, 1)
    const { days, data, isCut } = await listEventNames(ctx, {})
    expect([days.length, days.at(-1), isCut]).toEqual([14, '2026-11-15', false])
    expect(data.map(({ name, total, before, hasRevenue }) => [name, total, before, hasRevenue])).toEqual([
      ['Search', 5, 0, false],
      ['View', 3, 9, false],
      ['Order', 1, 0, true],
      ['Old', 0, 0, false],
    ])
    expect(data[1]?.counts).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2])
  })

  it('are found by a part of them, in any case, whatever is asked', async () => {
    const ctx = await setUp()
    for (const name of ['AddToCart', 'RemoveFromCart', '100%_sure', 'View']) await track(ctx, name, 0, 1)
    const search = async (words: string) => (await listEventNames(ctx, { search: words })).data.map(({ name }) => name)
    expect(await search(' CART ')).toEqual(['AddToCart', 'RemoveFromCart'])
    expect(await search('%_')).toEqual(['100%_sure'])
    expect(await search("'; drop table events; --")).toEqual([])
  })
})

describe('one event', () => {
  it('has its counts per day, its revenue and what its values are', async () => {
    const ctx = await setUp()
    const buy = (daysAgo: number, item: string, quantity: number) =>
      trackPurchase(ctx, {
        userId: 'sara',
        eventName: 'Order',
        eventData: { item, quantity },
        revenue: 10,
        currency: 'EUR',
        eventTime: noon - daysAgo * DAY,
      })
    await buy(0, 'socks', 1)
    await buy(0, 'tent', 3)
    await buy(6, 'socks', 2)
    await buy(8, 'socks', 2)
    await track(ctx, 'Other', 0, 1, { secret: 'x' })
    expect(await readEvent(ctx, { name: 'Order', days: 7 })).toMatchObject({
      name: 'Order',
      counts: [1, 0, 0, 0, 0, 0, 2],
      earlier: [0, 0, 0, 0, 0, 1, 0],
      total: 3,
      before: 1,
      revenue: [{ currency: 'EUR', amounts: [10, 0, 0, 0, 0, 0, 20], total: 30, before: 10 }],
      looked: 4,
      values: [
        {
          name: 'item',
          kind: 'text',
          seen: 4,
          top: [
            { value: 'socks', count: 3 },
            { value: 'tent', count: 1 },
          ],
        },
        { name: 'quantity', kind: 'number', seen: 4, numbers: { min: 1, average: 2, max: 3 } },
      ],
    })
  })

  it('that never came is not found, nor is another app’s', async () => {
    const [ctx, other] = [await setUp(), await setUp()]
    await track(other, 'Theirs', 0, 1)
    for (const name of ['Theirs', 'theirs', '%', '\u{1F600}']) {
      await expect(readEvent(ctx, { name })).rejects.toMatchObject({ code: 'not-found' })
    }
  })
})
