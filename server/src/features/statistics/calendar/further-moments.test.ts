import { describe, expect, it } from 'vitest'
import type { Course } from '../../messages/series/course/course.ts'
import { furtherMoments, type GoingSeries } from './further-moments.ts'

const daily: Course = {
  rule: 'FREQ=DAILY',
  zone: 'Europe/Berlin',
  startsAt: new Date('2026-10-01T07:00Z'),
  until: undefined,
  times: undefined,
}
const look = (series: Partial<GoingSeries> & { course: Course }, from: string, to: string, most = 100) => {
  const found = furtherMoments(
    { made: 5, lastAt: new Date('2026-10-05T07:00Z'), taken: new Set(), ...series },
    { from: new Date(from), to: new Date(to), most },
  )
  return { ...found, moments: found.moments.map((at) => at.toISOString().slice(5, 16)) }
}

describe('further moments of a series', () => {
  it('come after those that are scheduled, on its own clock', () => {
    expect(look({ course: daily }, '2026-10-04T00:00Z', '2026-10-08T00:00Z').moments).toEqual([
      '10-06T07:00',
      '10-07T07:00',
    ])
    expect(look({ course: daily }, '2026-10-24T00:00Z', '2026-10-27T00:00Z')).toEqual({
      moments: ['10-24T07:00', '10-25T08:00', '10-26T08:00'],
      looked: 3,
      isMore: false,
    })
  })

  it('end where the series ends', () => {
    const seven = { course: { ...daily, times: 7 } }
    expect(look(seven, '2026-10-04T00:00Z', '2026-10-20T00:00Z').moments).toEqual(['10-06T07:00', '10-07T07:00'])
    expect(look(seven, '2026-10-08T00:00Z', '2026-10-20T00:00Z').moments).toEqual([])
    const until = { course: { ...daily, until: new Date('2026-10-06T07:00Z') } }
    expect(look(until, '2026-10-04T00:00Z', '2026-10-20T00:00Z').moments).toEqual(['10-06T07:00'])
  })

  it('leave out what is a message already', () => {
    const taken = new Set([Date.parse('2026-10-06T07:00Z')])
    expect(look({ course: daily, taken }, '2026-10-04T00:00Z', '2026-10-08T00:00Z').moments).toEqual(['10-07T07:00'])
  })

  it('are looked for so long and no longer', () => {
    const hourly = { course: { ...daily, rule: 'FREQ=HOURLY' } }
    expect(look(hourly, '2026-11-01T00:00Z', '2026-12-01T00:00Z', 3)).toEqual({
      moments: ['11-01T00:00', '11-01T01:00', '11-01T02:00'],
      looked: 3,
      isMore: true,
    })
  })
})
