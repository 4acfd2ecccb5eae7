import { describe, expect, it } from 'vitest'
import { dayOf, daysOf, placeOf } from './calendar-days.ts'

const HOUR = 3_600_000
const hoursOf = (zone: string, from: string, to: string) => {
  const days = daysOf({ from: new Date(from), to: new Date(to), zone })
  return days.slice(1).map((day, index) => (day.getTime() - Number(days[index])) / HOUR)
}

describe('the days of a zone', () => {
  it('are shorter and longer where clocks are changed', () => {
    expect(hoursOf('Europe/Berlin', '2026-03-27T23:00Z', '2026-03-30T22:00Z')).toEqual([24, 23])
    expect(hoursOf('Europe/Berlin', '2026-10-23T22:00Z', '2026-10-26T23:00Z')).toEqual([24, 25])
    expect(hoursOf('America/New_York', '2026-10-31T04:00Z', '2026-11-03T05:00Z')).toEqual([24, 25])
    expect(hoursOf('Asia/Tehran', '2026-03-19T20:30Z', '2026-03-24T20:30Z')).toEqual([24, 24, 24, 24])
  })

  it('begin with the one that the span begins in', () => {
    const days = daysOf({ from: new Date('2026-11-18T12:00Z'), to: new Date('2026-11-20T00:00Z'), zone: 'UTC' })
    expect(days.map((day) => day.toISOString().slice(0, 10))).toEqual(['2026-11-18', '2026-11-19'])
    expect(dayOf(days, new Date('2026-11-18T23:59Z'))).toEqual(days[0])
    expect(dayOf(days, new Date('2026-11-19T00:00Z'))).toEqual(days[1])
    expect(dayOf(days, new Date('2026-11-17T23:59Z'))).toBeUndefined()
  })

  it('have each moment, also in the hour that comes twice', () => {
    const days = daysOf({
      from: new Date('2026-10-23T22:00Z'),
      to: new Date('2026-10-26T23:00Z'),
      zone: 'Europe/Berlin',
    })
    expect(dayOf(days, new Date('2026-10-25T22:59Z'))).toEqual(days[1])
    expect(dayOf(days, new Date('2026-10-25T23:00Z'))).toEqual(days[2])
  })
})

it('places a local time by the clock of the zone', () => {
  const at = new Date('2026-11-18T19:00Z')
  expect(placeOf(at, undefined, 'Asia/Tehran')).toEqual(at)
  expect(placeOf(at, { local: '2026-11-19T09:00' }, 'Asia/Tehran')).toEqual(new Date('2026-11-19T05:30Z'))
})
