import { describe, expect, it } from 'vitest'
import { answered } from './answers.test-support.ts'
import type { Answer } from './outcomes.ts'
import { readRetryAfter, readWait } from './read-retry-after.ts'

const now = new Date('2026-03-01T12:00:00Z')
const day = 24 * 3_600_000

describe('Retry-After', () => {
  it.each([
    ['30', 30_000],
    [' 120 ', 120_000],
    ['0', 0],
    ['1.5', 1_500],
    ['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
    ['Sunday, 01-Mar-26 12:01:00 GMT', 60_000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['86400', day],
    ['99999999999999999999', day],
    ['Sun, 01 Mar 2099 12:00:00 GMT', day],
  ])('%j is a wait of %i ms', (header, expected) => expect(readRetryAfter(header, now)).toBe(expected))

  it.each([
    undefined,
    '',
    ' ',
    '-5',
    'soon',
    'NaN',
    'Infinity',
    '1e9',
    '0x10',
    '12 s',
    '2026-03-01',
    'Sun, 99 Xyz 2026 12:00:00 GMT',
  ])('%j says nothing', (header) => expect(readRetryAfter(header, now)).toBeUndefined())

  it('measures a date from the date of the answer, whatever our own clock says', () => {
    const headers = { 'retry-after': 'Mon, 02 Mar 2026 12:00:30 GMT', date: 'Mon, 02 Mar 2026 12:00:00 GMT' }
    expect(readWait(answered(503, '', headers) as Answer, now)).toBe(30_000)
    expect(readWait(answered(503, '', { ...headers, date: 'garbage' }) as Answer, now)).toBe(day)
  })
})
