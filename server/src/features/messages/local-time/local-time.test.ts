import type { LocalTime as Sent } from '@peyk/contract'
import { describe, expect, it } from 'vitest'
import { type LocalTime, lastMoment, momentOf, readLocalTime } from './local-time.ts'

const now = new Date('2026-11-17T12:00:00Z')
const read = (sent: Sent) => readLocalTime(sent, now)

describe('a local time', () => {
  it('starts when the first clocks show it, with what is not said', () => {
    expect(read({ local: '2026-12-01T09:00' })).toEqual({
      dueAt: new Date('2026-11-30T19:00Z'),
      firstAt: new Date('2026-11-30T19:00Z'),
      localTime: { local: '2026-12-01T09:00', late: 'now' },
    })
    expect(read({ local: '2026-12-01T09:00:30', zone: 'Asia/Tehran', late: 'skip' }).localTime).toEqual({
      ...{ local: '2026-12-01T09:00:30', zone: 'Asia/Tehran', late: 'skip' },
    })
  })

  it.each(['2026-11-17T12:00', '2026-11-18T01:00', '2026-11-16T23:00'])(
    'that some have passed starts now: %s',
    (local) => {
      expect(read({ local }).dueAt).toEqual(now)
    },
  )

  it.each([
    [{ local: '2026-12-01T09:00Z' }, '"sendAt.local": expected a local time without an offset'],
    [{ local: '2026-12-01T09:00+03:30' }, '"sendAt.local": expected a local time without an offset'],
    [{ local: '2026-12-01T09:00-08' }, '"sendAt.local": expected a local time without an offset'],
    [{ local: '2026-12-01' }, '"sendAt.local": expected a date and a time'],
    [{ local: '2026-02-30T09:00' }, '"sendAt.local": expected a date and a time'],
    [{ local: 'tomorrow' }, '"sendAt.local": expected a date and a time'],
    [{ local: '2026-11-16T22:59' }, '2026-11-16T22:59 was more than an hour ago everywhere'],
    [{ local: '2027-11-19T02:01' }, '2027-11-19T02:01 is more than a year ahead'],
    [{ local: '2026-12-01T09:00', zone: 'Mars/Olympus' }, '"sendAt.zone": expected a time zone such as "Asia/Tehran"'],
    [{ local: '2026-12-01T09:00', zone: '+03:30' }, '"sendAt.zone": expected a time zone'],
    [{ local: '2026-12-01T09:00', late: 'never' as never }, '"sendAt.late": expected one of "now", "nextDay", "skip"'],
  ])('%j is refused: %s', (sent, why) => {
    expect(() => read(sent)).toThrow(why)
    expect(() => read(sent)).toThrow(
      expect.objectContaining({ details: { field: expect.stringMatching(/^sendAt\.(local|zone|late)$/) } }),
    )
  })
})

describe('when it goes to a user', () => {
  const dueAt = new Date('2026-12-01T08:00Z')
  const of = (late: LocalTime['late'], zone: string, local = '2026-12-01T09:00') =>
    momentOf({ local, late }, zone, dueAt)?.toISOString()

  it('is that time on the user’s clock', () => {
    expect(of('skip', 'Europe/Berlin')).toBe('2026-12-01T08:00:00.000Z')
    expect(of('now', 'America/New_York')).toBe('2026-12-01T14:00:00.000Z')
    expect(of('now', 'Mars/Olympus')).toBeUndefined()
  })

  it('is, when that has passed, the start, the next day, or never', () => {
    expect(of('now', 'Asia/Tehran')).toBe('2026-12-01T08:00:00.000Z')
    expect(of('nextDay', 'Asia/Tehran')).toBe('2026-12-02T05:30:00.000Z')
    expect(momentOf({ local: '2026-12-01T09:00', late: 'skip' }, 'Asia/Tehran', dueAt)).toBeNull()
  })

  it('is never a day on which it has passed, too', () => {
    expect(of('nextDay', 'Pacific/Kiritimati', '2026-11-30T21:00')).toBe('2026-12-02T07:00:00.000Z')
  })

  it.each(['now', 'nextDay', 'skip'] as const)('is never before the start nor after the last moment: %s', (late) => {
    for (const local of ['2026-11-30T20:00', '2026-12-01T09:00', '2026-12-01T22:00']) {
      const localTime = { local, late }
      for (const zone of Intl.supportedValuesOf('timeZone')) {
        const at = momentOf(localTime, zone, dueAt)
        if (at === null) continue
        expect(at && at >= dueAt && at <= lastMoment(localTime, dueAt), `${local} in ${zone}`).toBe(true)
      }
    }
  })
})
