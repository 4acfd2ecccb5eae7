import { describe, expect, it } from 'vitest'
import { type ClockTime, findMoment, isTimeZone, momentsAnywhere, readClockTime } from './time-zone.ts'

const time = (text: string) => readClockTime(text) as ClockTime
const momentOf = (text: string, zone: string) => findMoment(time(text), zone)?.toISOString().replace(':00.000Z', 'Z')

describe('the moment of a clock time in a zone', () => {
  it.each([
    ['2026-12-01T09:00', 'UTC', '2026-12-01T09:00Z'],
    ['2026-12-01T09:00', 'Asia/Tehran', '2026-12-01T05:30Z'],
    ['2026-12-01T09:00', 'asia/tehran', '2026-12-01T05:30Z'],
    ['2026-12-01T09:00', 'Asia/Kolkata', '2026-12-01T03:30Z'],
    ['2026-12-01T09:00', 'Asia/Calcutta', '2026-12-01T03:30Z'],
    ['2026-12-01T09:00', 'Asia/Kathmandu', '2026-12-01T03:15Z'],
    ['2026-12-01T09:00', 'Etc/GMT+12', '2026-12-01T21:00Z'],
    ['2026-12-01T09:00', 'Pacific/Kiritimati', '2026-11-30T19:00Z'],
  ])('%s in %s is %s', (text, zone, at) => {
    expect(momentOf(text, zone)).toBe(at)
  })

  // Skipped times are later by as much as the clock is put forward; of those that come twice, the first counts.
  it.each([
    ['Asia/Tehran', '2022-03-21T23:59', '2022-03-21T20:29Z'],
    ['Asia/Tehran', '2022-03-22T00:30', '2022-03-21T21:00Z'],
    ['Asia/Tehran', '2022-03-22T01:30', '2022-03-21T21:00Z'],
    ['Asia/Tehran', '2022-09-21T23:30', '2022-09-21T19:00Z'],
    ['Asia/Tehran', '2022-09-22T00:00', '2022-09-21T20:30Z'],
    ['Asia/Tehran', '2023-03-22T00:30', '2023-03-21T21:00Z'],
    ['Europe/Berlin', '2026-03-29T01:59', '2026-03-29T00:59Z'],
    ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30Z'],
    ['Europe/Berlin', '2026-03-29T03:30', '2026-03-29T01:30Z'],
    ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30Z'],
    ['Europe/Berlin', '2026-10-25T03:00', '2026-10-25T02:00Z'],
    ['America/New_York', '2026-03-08T02:30', '2026-03-08T07:30Z'],
    ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30Z'],
    ['America/New_York', '2026-11-01T02:00', '2026-11-01T07:00Z'],
    ['Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-03T15:45Z'],
    ['Australia/Lord_Howe', '2026-04-05T01:45', '2026-04-04T14:45Z'],
    ['Australia/Lord_Howe', '2026-04-05T02:00', '2026-04-04T15:30Z'],
    ['Pacific/Apia', '2011-12-29T09:00', '2011-12-29T19:00Z'],
    ['Pacific/Apia', '2011-12-30T09:00', '2011-12-30T19:00Z'],
    ['Pacific/Apia', '2011-12-31T09:00', '2011-12-30T19:00Z'],
  ])('in %s, over a change of the clock, %s is %s', (zone, text, at) => {
    expect(momentOf(text, zone)).toBe(at)
  })

  it.each(['', 'Mars/Olympus', '+03:30', '-08:00', 'GMT+3:30', 'Asia/Tehran\u0000', 'x'.repeat(300), '2026'])(
    'there is none in %j',
    (zone) => {
      expect(findMoment(time('2026-12-01T09:00'), zone)).toBeUndefined()
      expect(isTimeZone(zone)).toBe(false)
    },
  )

  it('is between those of UTC+14 and of UTC−12', () => {
    const { first, last } = momentsAnywhere(time('2026-12-01T09:00'))
    expect([first.toISOString(), last.toISOString()]).toEqual(['2026-11-30T19:00:00.000Z', '2026-12-01T21:00:00.000Z'])
    for (const zone of Intl.supportedValuesOf('timeZone')) {
      const at = findMoment(time('2026-12-01T09:00'), zone)
      expect(at && at >= first && at <= last, zone).toBe(true)
    }
  })
})

describe('a clock time', () => {
  it.each(['2026-12-01T09:00', '2026-12-01T09:00:30', '2028-02-29T00:00'])('%s is one', (text) => {
    expect(readClockTime(text)).toBeDefined()
  })

  it.each([
    '2026-12-01',
    '2026-12-01T09:00Z',
    '2026-12-01T09:00+03:30',
    '2026-02-29T09:00',
    '2026-12-01T24:00',
    '09:00',
  ])('%s is none', (text) => {
    expect(readClockTime(text)).toBeUndefined()
  })
})
