import type { Calendar } from '@peyk/contract'
import { describe, expect, it } from 'vitest'
import { keyOf, readDays } from './day-content.ts'
import { dayOf, momentOf } from './days.ts'
import { layOut } from './lay-out.ts'

const entry = { audience: 'query', count: 3 } as const
const cap = { count: 3, window: '24h' }

describe('the days of a calendar', () => {
  it('have what was sent and what is to go, by time, and what is over a cap', () => {
    const day = '2026-11-18'
    const at = (hour: number) => momentOf(day, hour * 60)
    const calendar: Calendar = {
      zone: 'UTC',
      planned: [
        { ...entry, id: 'b', at: at(15) },
        { ...entry, at: at(20), seriesId: 's' },
        { ...entry, id: 'c', at: momentOf('2026-11-20') },
      ],
      sent: [{ day: momentOf(day), count: 12, first: [{ ...entry, id: 'a', at: at(9), state: 'sent' }] }],
      crowded: [{ day: momentOf(day), count: 4, cap }],
      isMore: false,
    }
    const days = readDays(calendar)
    expect([...days.keys()].sort()).toEqual([day, '2026-11-20'])
    expect(days.get(day)?.items.map((item) => [item.kind, keyOf(item)])).toEqual([
      ['sent', 'a'],
      ['planned', 'b'],
      ['further', `s ${at(20)}`],
    ])
    expect(days.get(day)).toMatchObject({ moreSent: 11, crowded: [{ count: 4 }] })
    expect(dayOf(at(20))).toBe(day)
  })
})

describe('items of a day', () => {
  it('stand side by side only where they would cover one another', () => {
    expect(layOut([540, 600, 900], 60)).toEqual([
      { lane: 0, lanes: 1 },
      { lane: 0, lanes: 1 },
      { lane: 0, lanes: 1 },
    ])
    expect(layOut([540, 570, 590, 620, 900], 60)).toEqual([
      { lane: 0, lanes: 3 },
      { lane: 1, lanes: 3 },
      { lane: 2, lanes: 3 },
      { lane: 0, lanes: 3 },
      { lane: 0, lanes: 1 },
    ])
    expect(layOut([], 60)).toEqual([])
  })
})
