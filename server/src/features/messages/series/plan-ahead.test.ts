import type { StoryLine } from '@peyk/contract'
import { describe, expect, it } from 'vitest'
import { type Ahead, planAhead } from './plan-ahead.ts'
import type { Series } from './series.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const start = Date.parse('2026-11-18T09:00Z')
const day = (number: number) => new Date(start + number * DAY)
const days = (...numbers: number[]) => numbers.map(day)

const daily: Series = {
  appId: 1,
  id: 'x',
  product: 'message',
  sent: { content: 'hello' },
  userIds: ['sara'],
  target: undefined,
  count: 1,
  course: { rule: 'FREQ=DAILY', zone: 'UTC', startsAt: day(0), until: undefined, times: undefined },
  state: 'active',
  made: 0,
  lastAt: undefined,
  nextAt: undefined,
  counts: { sent: 0, skipped: 0, missed: 0 },
  story: [],
  createdAt: day(-1),
  createdBy: undefined,
  changedAt: day(-1),
  endedAt: undefined,
}
const none: Ahead = { open: 0, moments: [] }
interface Around {
  ahead?: Ahead
  now?: Date
  passed?: 'missed' | 'skipped'
}
const plan = (series: Partial<Series>, { ahead = none, now = day(-1), passed = 'missed' }: Around = {}) =>
  planAhead({ ...daily, ...series }, ahead, { now, passed })
const line = (what: StoryLine['what'], number: number): StoryLine => ({
  at: day(number).getTime(),
  what,
  notedAt: day(number).getTime(),
})

describe('what is made ahead', () => {
  it('are the first five, and the sixth is known', () => {
    const { series, moments } = plan({})
    expect(moments).toEqual(days(0, 1, 2, 3, 4))
    expect(series).toMatchObject({ made: 5, lastAt: day(4), nextAt: day(5), state: 'active' })
  })

  it('is as many as are missing', () => {
    const { series, moments } = plan(
      { made: 5, lastAt: day(4) },
      { ahead: { open: 4, moments: days(1, 2, 3, 4) }, now: day(0) },
    )
    expect(moments).toEqual(days(5))
    expect(series).toMatchObject({ made: 6, lastAt: day(5), nextAt: day(6) })
  })

  it('ends with the count, and the series when nothing is ahead', () => {
    const course = { ...daily.course, times: 3 }
    expect(plan({ course }).moments).toEqual(days(0, 1, 2))
    expect(plan({ course }).series).toMatchObject({ made: 3, nextAt: undefined, state: 'active' })
    const over = plan({ course, made: 3, lastAt: day(2) }, { now: day(2) }).series
    expect(over).toMatchObject({ state: 'ended', endedAt: day(2) })
    expect(plan({ course, made: 3, lastAt: day(2) }, { ahead: { open: 1, moments: days(2) } }).series.state).toBe(
      'active',
    )
  })

  it('ends with the last moment', () => {
    const course = { ...daily.course, until: day(1) }
    expect(plan({ course }).moments).toEqual(days(0, 1))
  })

  it('goes round what is there, was cancelled, or is in the story', () => {
    const ahead = { open: 1, moments: days(1, 3) }
    const { moments, series } = plan({ made: 3, story: [line('sent', 4)] }, { ahead })
    expect(moments).toEqual(days(0, 2, 5, 6))
    expect(series).toMatchObject({ made: 7, nextAt: day(7) })
  })
})

describe('what was not made in time', () => {
  it('is written down as missed, but for the last hour', () => {
    const { series, moments } = plan({ made: 1, lastAt: day(0) }, { now: new Date(day(3).getTime() + HOUR / 2) })
    expect(moments).toEqual(days(3, 4, 5, 6, 7))
    expect(series.story).toMatchObject([
      { at: day(1).getTime(), what: 'missed' },
      { at: day(2).getTime(), what: 'missed' },
    ])
    expect(series).toMatchObject({ made: 8, counts: { missed: 2 } })
    const anHourLater = plan({ made: 1, lastAt: day(0) }, { now: new Date(day(3).getTime() + HOUR) })
    expect(anHourLater.moments[0]).toEqual(day(4))
  })

  it('counts, also when nothing is left', () => {
    const course = { ...daily.course, times: 3 }
    const { series, moments } = plan({ course }, { now: day(30) })
    expect(moments).toEqual([])
    expect(series).toMatchObject({ state: 'ended', made: 3, counts: { missed: 3 } })
  })

  it('because of a pause, was skipped up to this moment', () => {
    const { series, moments } = plan(
      { made: 1, lastAt: day(0) },
      { now: new Date(day(2).getTime() + 1), passed: 'skipped' },
    )
    expect(moments[0]).toEqual(day(3))
    expect(series.counts).toEqual({ sent: 0, skipped: 2, missed: 0 })
  })

  it('is bounded in the story, and not in the counts', () => {
    const { series } = plan({ course: { ...daily.course, rule: 'FREQ=HOURLY' } }, { now: day(30) })
    expect([series.story.length, series.counts.missed]).toEqual([50, 30 * 24])
    expect(series.story.at(-1)?.at).toBe(day(30).getTime() - HOUR)
  })

  it('was not missed when it lies ahead again: the clock was put back', () => {
    const story = [line('sent', 0), line('missed', 1), line('missed', 2), line('sent', 3)]
    const known = { made: 9, lastAt: day(8), story, counts: { sent: 2, skipped: 0, missed: 2 } }
    const { series, moments, revived } = plan(known, { ahead: { open: 4, moments: days(5, 6, 7, 8) }, now: day(1.5) })
    expect([revived, moments]).toEqual([days(2), []])
    expect(series).toMatchObject({ made: 9, counts: { missed: 1 }, nextAt: day(9) })
    expect(series.story).toEqual([line('sent', 0), line('missed', 1), line('sent', 3)])
  })
})
