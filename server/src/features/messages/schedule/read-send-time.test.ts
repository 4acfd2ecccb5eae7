import { describe, expect, it } from 'vitest'
import { readSendTime } from './read-send-time.ts'

const now = new Date('2026-11-17T12:00:00Z')
const read = (sent: number | string) => readSendTime(sent, now)?.toISOString()

describe('when a message is to go', () => {
  it.each([
    [Date.UTC(2026, 11, 1, 9), '2026-12-01T09:00:00.000Z'],
    [String(Date.UTC(2026, 11, 1, 9)), '2026-12-01T09:00:00.000Z'],
    ['2026-12-01T09:00Z', '2026-12-01T09:00:00.000Z'],
    ['2026-12-01T09:00:30.5+03:30', '2026-12-01T05:30:30.500Z'],
    ['2026-12-01T09:00:30,250-0800', '2026-12-01T17:00:30.250Z'],
    ['2026-12-01T09:00+02', '2026-12-01T07:00:00.000Z'],
    ['2027-02-28T00:00Z', '2027-02-28T00:00:00.000Z'],
    ['2026-11-17T12:00:00.001Z', '2026-11-17T12:00:00.001Z'],
    ['2027-11-18T12:00Z', '2027-11-18T12:00:00.000Z'],
  ])('%s is %s', (sent, at) => {
    expect(read(sent)).toBe(at)
  })

  it.each([now.getTime(), '2026-11-17T11:00Z', '2026-11-17T12:30+01:00', ''])('%s is now', (sent) => {
    expect(read(sent)).toBeUndefined()
  })

  it.each([
    ['2026-11-17T10:59:59Z', 'was more than an hour ago'],
    ['2027-11-18T12:00:01Z', 'is more than a year ahead'],
    [1_796_115_600, 'which looks like seconds'],
    ['2026-12-01T09:00', 'with its offset'],
    ['2026-12-01', 'with its offset'],
    ['2027-02-29T09:00Z', 'with its offset'],
    ['2026-13-01T09:00Z', 'with its offset'],
    ['2026-12-01T25:00Z', 'with its offset'],
    ['tomorrow', 'got "tomorrow"'],
    [-5, 'was more than an hour ago'],
    [1.5e12 + 0.5, 'expected epoch milliseconds'],
    [1e300, 'expected epoch milliseconds'],
  ])('%s is refused: %s', (sent, why) => {
    expect(() => read(sent)).toThrow(expect.objectContaining({ message: expect.stringContaining(why) }))
  })
})
