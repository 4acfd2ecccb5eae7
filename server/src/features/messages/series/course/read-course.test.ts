import { describe, expect, it } from 'vitest'
import { firstMoments, readCourse, readStart } from './read-course.ts'

const startsAt = new Date('2026-11-18T09:30Z')
const now = new Date('2026-11-18T09:20:00.250Z')

describe('the start of a rule', () => {
  it.each([
    [undefined, '2026-11-18T09:20:01.000Z'],
    ['2026-11-18T09:00Z', '2026-11-18T09:00:00.000Z'],
    ['2026-12-01T09:00:00.001+03:30', '2026-12-01T05:30:01.000Z'],
  ])('of %s is %s', (sent, at) => {
    expect(readStart(sent, now).toISOString()).toBe(at)
  })

  it('is not long ago', () => {
    expect(() => readStart('2026-11-18T08:00Z', now)).toThrow('"sendAt"')
  })
})

describe('what is said of a repetition', () => {
  it('is read', () => {
    expect(readCourse({ rule: 'FREQ=DAILY' }, startsAt)).toEqual({
      ...{ rule: 'FREQ=DAILY', zone: 'UTC', startsAt, until: undefined, times: undefined },
    })
    const whole = readCourse({ rule: 'FREQ=DAILY', zone: 'asia/tehran', until: '2026-12-01T00:00+03:30' }, startsAt)
    expect(whole).toMatchObject({ zone: 'Asia/Tehran', until: new Date('2026-11-30T20:30Z') })
    expect(readCourse({ rule: 'FREQ=DAILY', count: 3 }, startsAt)).toMatchObject({ times: 3 })
  })

  it.each([
    ['FREQ=DAILY;COUNT=4', { times: 4 }],
    ['FREQ=DAILY;UNTIL=20261201T090000Z', { until: new Date('2026-12-01T09:00Z') }],
    ['FREQ=DAILY;UNTIL=20261201T090000', { until: new Date('2026-12-01T05:30Z') }],
    ['FREQ=DAILY;UNTIL=20261201', { until: new Date('2026-12-01T20:29:59Z') }],
  ])('may have its end in the rule: %s', (rule, end) => {
    expect(readCourse({ rule, zone: 'Asia/Tehran' }, startsAt)).toMatchObject({ rule: 'FREQ=DAILY', ...end })
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
    expect(() => readCourse(repeat, startsAt)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(why), details: { field } }),
    )
  })

  it('has first moments', () => {
    const moments = (repeat: Parameters<typeof readCourse>[0]) => firstMoments(readCourse(repeat, startsAt), 5)
    expect(moments({ rule: 'FREQ=DAILY' })).toHaveLength(5)
    expect(moments({ rule: 'FREQ=DAILY', count: 2 })).toEqual([startsAt, new Date('2026-11-19T09:30Z')])
  })
})
