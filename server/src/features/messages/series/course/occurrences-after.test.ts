import { isThorough } from '@peyk/test/runner/effort.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clockTimes, momentShown, type Parts, writeRule } from './clock-times.test-support.ts'
import type { Course } from './course.ts'
import { occurrencesAfter } from './occurrences-after.ts'
import { readRule } from './read-rule.ts'

const DAY = 86_400_000
const before = (at: Date) => new Date(at.getTime() - 1)

function follow(course: Omit<Course, 'until' | 'times'> & Partial<Course>, count: number, after?: Date): string[] {
  const whole: Course = { until: undefined, times: undefined, ...course }
  const found = take(occurrencesAfter(whole, after ?? before(course.startsAt)), count)
  return found.map((at) => at.toISOString().replace(':00.000Z', 'Z'))
}

function take(moments: Iterable<Date>, count: number): Date[] {
  const taken: Date[] = []
  if (count > 0) for (const moment of moments) if (taken.push(moment) >= count) break
  return taken
}

const at = (time: string, zone = 'UTC') => new Date(momentShown(Date.parse(`${time}Z`), zone))

describe('the moments of a rule', () => {
  it.each([
    ['FREQ=WEEKLY;BYDAY=MO,TH', ['2026-11-19T09:30Z', '2026-11-23T09:30Z', '2026-11-26T09:30Z']],
    ['FREQ=MONTHLY;BYMONTHDAY=31', ['2026-12-31T09:30Z', '2027-01-31T09:30Z', '2027-03-31T09:30Z']],
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', ['2026-11-30T09:30Z', '2026-12-31T09:30Z', '2027-01-29T09:30Z']],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29', ['2028-02-29T09:30Z', '2032-02-29T09:30Z', '2036-02-29T09:30Z']],
    ['FREQ=YEARLY;BYWEEKNO=1;BYDAY=WE', ['2027-01-06T09:30Z', '2028-01-05T09:30Z', '2029-01-03T09:30Z']],
    ['FREQ=DAILY;INTERVAL=2;BYHOUR=8,20', ['2026-11-18T20:30Z', '2026-11-20T08:30Z', '2026-11-20T20:30Z']],
    ['FREQ=HOURLY;INTERVAL=6;BYMINUTE=0', ['2026-11-18T15:00Z', '2026-11-18T21:00Z', '2026-11-19T03:00Z']],
  ])('%s from 18 November 2026, 09:30', (rule, moments) => {
    expect(follow({ rule, zone: 'UTC', startsAt: at('2026-11-18T09:30') }, 3)).toEqual(moments)
  })

  it('have an end', () => {
    const course = { rule: 'FREQ=DAILY', zone: 'UTC', startsAt: at('2026-11-18T09:30') }
    expect(follow({ ...course, until: at('2026-11-19T09:30') }, 9)).toEqual(['2026-11-18T09:30Z', '2026-11-19T09:30Z'])
    expect(follow({ ...course, until: at('2026-11-19T09:29') }, 9)).toEqual(['2026-11-18T09:30Z'])
  })

  it('that do not come within ten years do not come', () => {
    const startsAt = at('2026-11-18T09:30')
    const rules = [
      'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
      'FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30',
      'FREQ=HOURLY;INTERVAL=24;BYHOUR=11',
    ]
    for (const rule of rules) expect(follow({ rule, zone: 'Europe/Berlin', startsAt }, 1)).toEqual([])
  })

  it('go on from any of them', () => {
    const course = {
      rule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR',
      zone: 'Europe/Berlin',
      startsAt: at('2026-03-02T02:30'),
    }
    const all = follow(course, 60)
    for (const [index, moment] of all.slice(0, 50).entries())
      expect(follow(course, 5, new Date(moment))).toEqual(all.slice(index + 1, index + 6))
  })
})

describe('when the clock is put forward or back', () => {
  it.each([
    ['Europe/Berlin', '2027-03-27T02:30', ['2027-03-27T01:30Z', '2027-03-28T01:30Z', '2027-03-29T00:30Z']],
    ['Europe/Berlin', '2026-10-24T02:30', ['2026-10-24T00:30Z', '2026-10-25T00:30Z', '2026-10-26T01:30Z']],
    ['America/New_York', '2027-03-13T02:30', ['2027-03-13T07:30Z', '2027-03-14T07:30Z', '2027-03-15T06:30Z']],
    ['America/New_York', '2026-10-31T01:30', ['2026-10-31T05:30Z', '2026-11-01T05:30Z', '2026-11-02T06:30Z']],
    ['Asia/Tehran', '2022-03-21T00:30', ['2022-03-20T21:00Z', '2022-03-21T21:00Z', '2022-03-22T20:00Z']],
    ['Asia/Tehran', '2022-09-20T23:30', ['2022-09-20T19:00Z', '2022-09-21T19:00Z', '2022-09-22T20:00Z']],
    ['Australia/Lord_Howe', '2026-10-03T02:15', ['2026-10-02T15:45Z', '2026-10-03T15:45Z', '2026-10-04T15:15Z']],
    ['Australia/Lord_Howe', '2027-04-03T01:45', ['2027-04-02T14:45Z', '2027-04-03T14:45Z', '2027-04-04T15:15Z']],
    ['Pacific/Apia', '2020-09-26T03:30', ['2020-09-25T14:30Z', '2020-09-26T14:30Z', '2020-09-27T13:30Z']],
    ['Pacific/Apia', '2021-04-03T03:30', ['2021-04-02T13:30Z', '2021-04-03T13:30Z', '2021-04-04T14:30Z']],
    // There was no 30 December.
    ['Pacific/Apia', '2011-12-29T09:00', ['2011-12-29T19:00Z', '2011-12-30T19:00Z', '2011-12-31T19:00Z']],
  ])('in %s every day from %s on', (zone, start, moments) => {
    expect(follow({ rule: 'FREQ=DAILY', zone, startsAt: at(start, zone) }, 3)).toEqual(moments)
  })

  it('an hour that is passed over is not sent twice, and one that comes twice is sent once', () => {
    const hours = (zone: string, start: string) => follow({ rule: 'FREQ=HOURLY', zone, startsAt: at(start, zone) }, 4)
    expect(hours('Europe/Berlin', '2027-03-28T00:30')).toEqual([
      ...['2027-03-27T23:30Z', '2027-03-28T00:30Z', '2027-03-28T01:30Z', '2027-03-28T02:30Z'],
    ])
    expect(hours('Europe/Berlin', '2026-10-25T00:30')).toEqual([
      ...['2026-10-24T22:30Z', '2026-10-24T23:30Z', '2026-10-25T00:30Z', '2026-10-25T02:30Z'],
    ])
  })

  it('a start in the second of two equal hours is the start', () => {
    const startsAt = new Date('2026-10-25T01:30Z')
    expect(follow({ rule: 'FREQ=DAILY', zone: 'Europe/Berlin', startsAt }, 2)).toEqual([
      ...['2026-10-25T01:30Z', '2026-10-26T01:30Z'],
    ])
  })

  const changes: [zone: string, day: string][] = [
    ['Asia/Tehran', '2022-03-22'],
    ['Asia/Tehran', '2022-09-22'],
    ['Europe/Berlin', '2027-03-28'],
    ['Europe/Berlin', '2026-10-25'],
    ['America/New_York', '2027-03-14'],
    ['America/New_York', '2026-11-01'],
    ['Australia/Lord_Howe', '2026-10-04'],
    ['Australia/Lord_Howe', '2027-04-04'],
    ['Pacific/Apia', '2020-09-27'],
    ['Pacific/Apia', '2021-04-04'],
    ['Pacific/Apia', '2011-12-30'],
  ]
  const rules: Parts[] = [
    { FREQ: 'HOURLY' },
    { FREQ: 'HOURLY', INTERVAL: 5 },
    { FREQ: 'DAILY' },
    { FREQ: 'DAILY', BYHOUR: [0, 1, 2, 3, 23] },
    { FREQ: 'WEEKLY', BYDAY: ['MO', 'TU', 'FR', 'SU'] },
    { FREQ: 'MONTHLY', BYMONTHDAY: [4, 14, 22, 25, 28, 30] },
    { FREQ: 'MONTHLY', BYDAY: ['-1SU', '1SU', '2SU', '5FR'] },
    { FREQ: 'YEARLY', BYMONTH: [3, 4, 9, 10, 11, 12], BYDAY: ['SU', 'TU', 'TH', 'FR'] },
  ]

  it.each(changes)('every rule gives what its clock shows, in %s on %s', (zone, day) => {
    for (const parts of rules) {
      for (let minutes = 0; minutes < 5 * 60; minutes += isThorough ? 15 : 75) {
        const start = Date.parse(`${day}T00:00Z`) - 3 * DAY + minutes * 60_000
        const startsAt = new Date(momentShown(start, zone))
        const times = clockTimes(parts, start, start + 40 * DAY).slice(0, 100)
        const shown = times.map((time) => momentShown(time, zone))
        const rising = shown.filter((moment, index) => shown.slice(0, index).every((other) => other < moment))
        const rule = readRule(writeRule(parts)).rule
        const course = { rule, zone, startsAt, until: undefined, times: undefined }
        const found = take(occurrencesAfter(course, before(startsAt)), 60).map(Number)
        const both = Math.min(found.length, rising.length)
        expect(both).toBeGreaterThan(0)
        expect(found.slice(0, both)).toEqual(rising.slice(0, both))
      }
    }
  })
})

describe('any rule', () => {
  const some = <T>(values: readonly T[], most = 3) =>
    fc.option(fc.subarray([...values], { minLength: 1, maxLength: most }), { nil: undefined })
  const days = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const
  const places = [1, 2, 3, 4, 5, -1, -2, -5].flatMap((place) => days.map((day) => `${place}${day}`))
  const hours = [0, 5, 9, 12, 23]
  const monthDays = [1, 2, 13, 15, 28, 29, 30, 31, -1, -2, -31]
  const rule: fc.Arbitrary<Parts> = fc
    .record({
      FREQ: fc.constantFrom('YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY'),
      INTERVAL: fc.constantFrom(1, 1, 2, 3, 7),
      BYMONTH: some([1, 2, 3, 6, 11, 12]),
      BYYEARDAY: some([1, 60, 200, 366, -1, -366]),
      BYMONTHDAY: some(monthDays),
      BYDAY: some(days, 7),
      placed: some(places),
      BYHOUR: some(hours),
      BYSETPOS: some([1, 2, 5, -1, -3]),
      WKST: fc.option(fc.constantFrom('MO', 'SU', 'SA'), { nil: undefined }),
    })
    .map(({ placed, ...parts }) => ({ ...parts, BYDAY: placed ?? parts.BYDAY }) as Parts)
    .map(asAllowed)

  const start = fc.constantFrom('2026-11-18T09:30', '2027-01-31T23:05', '2028-02-29T00:00', '2026-12-30T12:00')

  it('gives the same when it is asked years later', () => {
    fc.assert(
      fc.property(rule, start, (parts, time) => {
        const startsAt = new Date(`${time}Z`)
        const after = new Date(startsAt.getTime() + 6 * 365 * DAY)
        const all = clockTimes(parts, startsAt.getTime(), after.getTime() + 2 * 365 * DAY)
        const expected = all.filter((moment) => moment > after.getTime()).slice(0, 5)
        const course = {
          rule: readRule(writeRule(parts)).rule,
          zone: 'UTC',
          startsAt,
          until: undefined,
          times: undefined,
        }
        expect(take(occurrencesAfter(course, after), expected.length).map(Number)).toEqual(expected)
      }),
      { numRuns: 30 },
    )
  })

  it('gives what RFC 5545 says', () => {
    fc.assert(
      fc.property(rule, start, (parts, time) => {
        const startsAt = new Date(`${time}Z`)
        const read = readRule(writeRule(parts)).rule
        const expected = clockTimes(parts, startsAt.getTime(), startsAt.getTime() + 3 * 365 * DAY).slice(0, 12)
        const course = { rule: read, zone: 'UTC', startsAt, until: undefined, times: undefined }
        const found = take(occurrencesAfter(course, before(startsAt)), expected.length).map(Number)
        expect(found).toEqual(expected)
      }),
      { numRuns: 60 },
    )
  })

  /** Without what a rule may not have together. */
  function asAllowed(parts: Parts): Parts {
    const { FREQ } = parts
    const isLong = FREQ === 'YEARLY' || FREQ === 'MONTHLY'
    const kept = { ...parts }
    if (FREQ === 'WEEKLY') delete kept.BYMONTHDAY
    if (FREQ !== 'YEARLY' && FREQ !== 'HOURLY') delete kept.BYYEARDAY
    if (!isLong && kept.BYDAY?.some((day) => day.length > 2)) delete kept.BYDAY
    const isChosen = FREQ !== 'DAILY' && FREQ !== 'HOURLY' && (kept.BYDAY ?? kept.BYMONTHDAY ?? kept.BYYEARDAY)
    if (!isChosen) delete kept.BYSETPOS
    return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined)) as unknown as Parts
  }
})
