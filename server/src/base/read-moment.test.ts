import { expect, it } from 'vitest'
import { readMoment, readReportMoment } from './read-moment.ts'

it('takes dates, with and without a time, and epoch milliseconds', () => {
  expect(readMoment('from', '2028-02-29')).toEqual(new Date('2028-02-29T00:00:00Z'))
  expect(readMoment('from', '2026-11-18T10:00:00+03:30')).toEqual(new Date('2026-11-18T06:30:00Z'))
  expect(readMoment('from', '1790000000000')).toEqual(new Date(1_790_000_000_000))
  expect(readReportMoment('from', '0')).toEqual(new Date(0))
})

it.each(['2026-02-30', '2026-11-31T10:00:00Z', '2027-02-29', '2026-13-01', '2026-00-10', 'tomorrow'])(
  'refuses %s, which is no date',
  (sent) => {
    for (const read of [readMoment, readReportMoment]) expect(() => read('to', sent)).toThrow(/"to": expected epoch/)
  },
)
