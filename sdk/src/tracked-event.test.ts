import { expect, it } from 'vitest'
import { trackedEvent } from './tracked-event.ts'

const facts = { id: 'e1', now: 5 }

it('is what the service takes, with dates as numbers that are said to be dates', () => {
  const day = new Date('2026-03-01T00:00:00Z')
  expect(trackedEvent('Open', { page: '/', tags: ['a'], at: day }, facts)).toEqual({
    id: 'e1',
    eventName: 'Open',
    createdAt: 5,
    data: { page: '/', tags: ['a'], at: Number(day) },
    __meta: { keys: { at: { type: 'date' } } },
  })
})

it('carries revenue in its data', () => {
  expect(trackedEvent('Buy', { seats: 2 }, { ...facts, revenue: { revenue: 9.5, currency: 'EUR' } }).data).toEqual({
    seats: 2,
    isRevenue: true,
    value: 9.5,
    currency: 'EUR',
  })
  expect(trackedEvent('Buy', {}, { ...facts, revenue: { revenue: -1 } }).data).toEqual({ isRevenue: true, value: -1 })
})
