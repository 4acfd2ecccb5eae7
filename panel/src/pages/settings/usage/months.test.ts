import { expect, it } from 'vitest'
import { lastMonths, monthName } from './months.ts'

it('goes back a year, across its beginning', () => {
  const months = lastMonths(new Date('2026-03-31T23:00:00Z'))
  expect(months).toHaveLength(12)
  expect([months[0], months[1], months[3], months[11]]).toEqual(['2026-03', '2026-02', '2025-12', '2025-04'])
})

it('names a month of the Gregorian calendar in both languages', () => {
  expect(monthName('2026-11', 'en')).toBe('November 2026')
  expect(monthName('2026-11', 'fa')).toBe('نوامبر ۲۰۲۶')
})
