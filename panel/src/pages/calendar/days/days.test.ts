import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  addDays,
  dayInMonth,
  dayOf,
  daysBetween,
  isDay,
  minutesOf,
  momentOf,
  startOfMonth,
  startOfNextMonth,
  startOfWeek,
  systems,
} from './days.ts'
import { showDays, stepTo, weeksOf } from './shown-days.ts'

const { en, fa } = systems
const HOUR = 3_600_000

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('days', () => {
  it('are counted over months, years and leap days', () => {
    expect([addDays('2026-12-31', 1), addDays('2028-02-28', 1), addDays('2026-03-01', -1)]).toEqual([
      '2027-01-01',
      '2028-02-29',
      '2026-02-28',
    ])
    expect(daysBetween('2026-02-27', '2026-03-02')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
  })

  it('are read from addresses only when they are some', () => {
    const texts = ['2026-11-18', '2026-13-01', '2026-1-1', 'x', undefined]
    expect(texts.map(isDay)).toEqual([true, false, false, false, false])
  })

  it.each([
    ['Europe/Berlin', '2026-03-29', 23],
    ['Europe/Berlin', '2026-10-25', 25],
    ['America/New_York', '2026-03-08', 23],
    ['America/New_York', '2026-11-01', 25],
    ['Asia/Tehran', '2026-03-22', 24],
  ])('have their hours on the clock of the member: %s on %s has %i', (zone, day, hours) => {
    vi.stubEnv('TZ', zone)
    expect((momentOf(addDays(day, 1)) - momentOf(day)) / HOUR).toBe(hours)
    for (let at = momentOf(day); at < momentOf(addDays(day, 1)); at += HOUR / 2) expect(dayOf(at)).toBe(day)
    for (const minutes of [0, 9 * 60, 23 * 60 + 30]) expect(minutesOf(momentOf(day, minutes))).toBe(minutes)
  })

  it('have a later time for one that the clock skips, and the first of one that comes twice', () => {
    vi.stubEnv('TZ', 'Europe/Berlin')
    expect(new Date(momentOf('2026-03-29', 150)).toISOString()).toBe('2026-03-29T01:30:00.000Z')
    expect(new Date(momentOf('2026-10-25', 150)).toISOString()).toBe('2026-10-25T00:30:00.000Z')
  })
})

describe('months and weeks', () => {
  it('are the Gregorian ones from Monday on in English', () => {
    expect(startOfMonth('2026-11-18', en)).toBe('2026-11-01')
    expect(startOfNextMonth('2026-01-31', en)).toBe('2026-02-01')
    expect(startOfNextMonth('2026-12-31', en)).toBe('2027-01-01')
    expect(startOfWeek('2026-11-22', en)).toBe('2026-11-16')
    const { days, from, to } = showDays('month', '2026-11-18', en)
    expect([days[0], days.at(-1), from, to, days.length]).toEqual([
      '2026-10-26',
      '2026-12-06',
      '2026-11-01',
      '2026-12-01',
      42,
    ])
    expect(weeksOf(days).map(([first]) => first)).toHaveLength(6)
    expect(showDays('month', '2027-02-10', en).days).toHaveLength(28)
  })

  it('are the Persian ones from Saturday on in Persian', () => {
    // 1 Azar 1405 is 22 November 2026, and 30 Esfand 1403, in a leap year, was 20 March 2025.
    expect([dayInMonth('2026-11-22', fa), dayInMonth('2025-03-20', fa)]).toEqual([1, 30])
    expect(startOfMonth('2026-11-18', fa)).toBe('2026-10-23')
    expect(startOfNextMonth('2026-11-18', fa)).toBe('2026-11-22')
    expect(startOfNextMonth('2025-03-01', fa)).toBe('2025-03-21')
    expect(startOfWeek('2026-11-18', fa)).toBe('2026-11-14')
    const { days, from, to } = showDays('month', '2026-11-18', fa)
    expect([days[0], days.at(-1), from, to]).toEqual(['2026-10-17', '2026-11-27', '2026-10-23', '2026-11-22'])
  })

  it.each([en, fa])('follow one another without a gap, and never have more than six weeks', (system) => {
    let day = '2024-01-01'
    for (let month = 0; month < 60; month++) {
      const shown = showDays('month', day, system)
      const next = stepTo('month', day, system, 1)
      expect(next).toBe(shown.to)
      expect(stepTo('month', next, system, -1)).toBe(shown.from)
      expect(shown.days.length % 7).toBe(0)
      expect(shown.days.length).toBeLessThanOrEqual(42)
      expect(shown.days.includes(shown.from) && shown.days.includes(addDays(shown.to, -1))).toBe(true)
      day = next
    }
  })

  it('have weeks that go over the end of a month and of a year', () => {
    expect(showDays('week', '2026-12-31', en)).toMatchObject({ from: '2026-12-28', to: '2027-01-04' })
    expect(showDays('week', '2026-12-31', fa)).toMatchObject({ from: '2026-12-26', to: '2027-01-02' })
    expect(stepTo('week', '2026-12-31', en, 1)).toBe('2027-01-07')
    expect(stepTo('week', '2027-01-02', en, -1)).toBe('2026-12-26')
  })
})
