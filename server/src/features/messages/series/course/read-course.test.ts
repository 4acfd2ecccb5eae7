import type { Repeat } from '@peyk/contract'
import { describe, expect, it } from 'vitest'
import { firstMoments, readCourse, readStart } from './read-course.ts'

const startsAt = new Date('2026-11-18T09:30Z')
const read = (repeat: Repeat) => readCourse(repeat, { at: startsAt }, 'UTC')
const now = new Date('2026-11-18T09:20:00.250Z')

describe('the start of a rule', () => {
  it.each([
    [undefined, '2026-11-18T09:20:01.000Z'],
    ['2026-11-18T09:00Z', '2026-11-18T09:00:00.000Z'],
    ['2026-12-01T09:00:00.001+03:30', '2026-12-01T05:30:01.000Z'],
  ])('of %s is %s', (sent, at) => {
    expect(readStart(sent, now).at.toISOString()).toBe(at)
  })

  it('is not long ago', () => {
    expect(() => readStart('2026-11-18T08:00Z', now)).toThrow('"sendAt"')
  })
})

describe('what is said of a repetition', () => {
  it('is read', () => {
    expect(read({ rule: 'FREQ=DAILY' })).toEqual({
      ...{ rule: 'FREQ=DAILY', zone: 'UTC', startsAt, until: undefined, times: undefined },
    })
    const whole = read({ rule: 'FREQ=DAILY', zone: 'asia/tehran', until: '2026-12-01T00:00+03:30' })
    expect(whole).toMatchObject({ zone: 'Asia/Tehran', until: new Date('2026-11-30T20:30Z') })
    expect(read({ rule: 'FREQ=DAILY', count: 3 })).toMatchObject({ times: 3 })
  })

  it.each([
    ['FREQ=DAILY;COUNT=4', { times: 4 }],
    ['FREQ=DAILY;UNTIL=20261201T090000Z', { until: new Date('2026-12-01T09:00Z') }],
    ['FREQ=DAILY;UNTIL=20261201T090000', { until: new Date('2026-12-01T05:30Z') }],
    ['FREQ=DAILY;UNTIL=20261201', { until: new Date('2026-12-01T20:29:59Z') }],
  ])('may have its end in the rule: %s', (rule, end) => {
    expect(read({ rule, zone: 'Asia/Tehran' })).toMatchObject({ rule: 'FREQ=DAILY', ...end })
  })

  it.each([
    [{ rule: 'FREQ=DAILY', zone: 'Mars/Base' }, 'repeat.zone', 'expected the name of a time zone'],
    [{ rule: 'FREQ=DAILY', zone: '../etc' }, 'repeat.zone', 'expected the name of a time zone'],
    [{ rule: 'FREQ=DAILY', until: 'soon' }, 'repeat.until', 'expected epoch milliseconds'],
    [{ rule: 'FREQ=DAILY', until: '2026-11-18T09:00Z' }, 'repeat.until', 'is before the start'],
    [{ rule: 'FREQ=DAILY', until: '2027-01-01T00:00Z', count: 3 }, 'repeat.until', 'got both'],
    [{ rule: 'FREQ=DAILY;COUNT=3', count: 3 }, 'repeat.rule', 'its end is said twice'],
    [{ rule: 'FREQ=DAILY;UNTIL=20270101', until: '2027-01-01T00:00Z' }, 'repeat.rule', 'its end is said twice'],
    [{ rule: 'FREQ=DAILY;UNTIL=20261341' }, 'repeat.rule', '"20261341" is no value of UNTIL'],
    [{ rule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' }, 'repeat.rule', 'this never happens'],
    [{ rule: 'FREQ=YEARLY;BYMONTH=3', until: '2027-01-01T00:00Z' }, 'repeat.until', 'does not happen before its end'],
    [{ rule: 'FREQ=YEARLY;BYMONTH=3;UNTIL=20270101' }, 'repeat.rule', 'does not happen before its end'],
  ])('%j is refused', (repeat, field, why) => {
    expect(() => read(repeat)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(why), details: { field } }),
    )
  })

  it('has first moments', () => {
    const moments = (repeat: Repeat) => firstMoments(read(repeat), 5)
    expect(moments({ rule: 'FREQ=DAILY' })).toHaveLength(5)
    expect(moments({ rule: 'FREQ=DAILY', count: 2 })).toEqual([startsAt, new Date('2026-11-19T09:30Z')])
  })
})

describe('a repetition at a local time', () => {
  const at = (local: string, zone?: string) => readStart({ local, late: 'skip', ...(zone && { zone }) }, now)

  it('is followed on the first clocks on earth, which are never put forward or back', () => {
    const course = readCourse({ rule: 'FREQ=DAILY' }, at('2027-03-27T02:30'), 'Europe/Berlin')
    expect(course).toMatchObject({ zone: 'Etc/GMT-14', localTime: { zone: 'Europe/Berlin', late: 'skip' } })
    expect(firstMoments(course, 3)).toEqual(
      ['2027-03-26T12:30Z', '2027-03-27T12:30Z', '2027-03-28T12:30Z'].map((each) => new Date(each)),
    )
  })

  it.each([
    ['Pacific/Apia', 'Asia/Tehran', 'Pacific/Apia'],
    [undefined, 'Asia/Tehran', 'Asia/Tehran'],
    [undefined, undefined, 'Europe/Berlin'],
  ])('has the zone of its start, of the rule, or of the app: %s, %s', (ofStart, zone, expected) => {
    const repeat = { rule: 'FREQ=DAILY', ...(zone && { zone }) }
    const course = readCourse(repeat, at('2026-12-01T09:00', ofStart), 'Europe/Berlin')
    expect(course.localTime?.zone).toBe(expected)
  })

  it('ends by the clock of that zone', () => {
    const until = '2026-12-02T09:00+01:00'
    const course = readCourse({ rule: 'FREQ=DAILY', until }, at('2026-12-01T09:00'), 'Europe/Berlin')
    expect(firstMoments(course, 5)).toHaveLength(2)
    const before = readCourse({ rule: 'FREQ=DAILY', until }, at('2026-12-01T09:01'), 'Europe/Berlin')
    expect(firstMoments(before, 5)).toHaveLength(1)
  })

  it('may have begun for the first users', () => {
    expect(at('2026-11-18T12:00').at).toEqual(new Date('2026-11-17T22:00Z'))
  })
})
