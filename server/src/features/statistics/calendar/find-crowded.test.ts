import { describe, expect, it } from 'vitest'
import { daysOf } from './calendar-days.ts'
import { findClose, findCrowded, type Use } from './find-crowded.ts'

const days = daysOf({ from: new Date('2026-11-16T00:00Z'), to: new Date('2026-11-30T00:00Z'), zone: 'UTC' })
const use = (at: string, category = 'news', isPlanned = true): Use => ({
  at: new Date(`2026-11-${at}Z`),
  category,
  isPlanned,
})
const crowdedOn = (uses: Use[], ...caps: Parameters<typeof findCrowded>[1][number][]) =>
  findCrowded(uses, caps, days).map(({ day, count, cap }) => [day.getUTCDate(), count, cap.count])

describe('a crowded day', () => {
  const daily = { count: 2, window: '24h' }

  it('has more in a window than the cap allows, and is named once with the most of them', () => {
    const uses = [use('18T09:00'), use('18T12:00'), use('18T15:00'), use('18T18:00')]
    expect(crowdedOn(uses.slice(0, 2), daily)).toEqual([])
    expect(crowdedOn(uses, daily)).toEqual([[18, 4, 2]])
  })

  it('goes by the window, not by the day, and begins after what is as old as it is long', () => {
    const uses = [use('18T20:00'), use('18T22:00'), use('19T08:00'), use('19T22:00')]
    expect(crowdedOn(uses, daily)).toEqual([[19, 3, 2]])
    expect(crowdedOn([use('18T08:00'), use('18T09:00'), use('19T08:00')], daily)).toEqual([])
  })

  it('counts what was sent, and is not one when nothing more is planned', () => {
    const sent = [use('18T01:00', 'news', false), use('18T02:00', 'news', false), use('18T03:00', 'news', false)]
    expect(crowdedOn(sent, daily)).toEqual([])
    expect(crowdedOn([...sent, use('18T20:00')], daily)).toEqual([[18, 4, 2]])
  })

  it('has only the categories of the cap, and each cap for itself', () => {
    const uses = [use('18T09:00'), use('18T12:00', 'offers'), use('18T15:00', 'offers'), use('20T15:00', 'offers')]
    const offers = { count: 1, window: '7d', categories: ['offers'] }
    expect(crowdedOn(uses, daily, offers)).toEqual([
      [18, 3, 2],
      [18, 2, 1],
      [20, 3, 1],
    ])
  })

  it('may come from what was before the first day', () => {
    expect(crowdedOn([use('14T09:00'), use('15T09:00'), use('16T09:00')], { count: 2, window: '7d' })).toEqual([
      [16, 3, 2],
    ])
  })
})

it('finds those that are less than an hour apart', () => {
  const moments = ['09:00', '09:59', '11:00', '12:00', '12:00'].map((time) => new Date(`2026-11-18T${time}Z`))
  expect([...findClose(moments)].map((time) => new Date(time).toISOString().slice(11, 16))).toEqual([
    '09:00',
    '09:59',
    '12:00',
  ])
})
