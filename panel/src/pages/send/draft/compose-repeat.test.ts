import { describe, expect, it } from 'vitest'
import { composeRepeat, type DraftRepeat, noRepeat } from './compose-repeat.ts'

const compose = (changes: Partial<DraftRepeat>, day = 19) =>
  composeRepeat({ ...noRepeat, ...changes }, new Date(2026, 10, day, 9), 'Asia/Tehran')

describe('a message that repeats', () => {
  it.each([
    [{}, undefined],
    [{ kind: 'daily' }, { rule: 'FREQ=DAILY', zone: 'Asia/Tehran' }],
    [
      { kind: 'weekly', days: ['MO', 'TH'] },
      { rule: 'FREQ=WEEKLY;BYDAY=MO,TH', zone: 'Asia/Tehran' },
    ],
    [{ kind: 'monthly' }, { rule: 'FREQ=MONTHLY;BYMONTHDAY=19', zone: 'Asia/Tehran' }],
    [
      { kind: 'rule', rule: ' FREQ=HOURLY ' },
      { rule: 'FREQ=HOURLY', zone: 'Asia/Tehran' },
    ],
    [
      { kind: 'daily', end: 'count', count: '۷' },
      { rule: 'FREQ=DAILY', zone: 'Asia/Tehran', count: 7 },
    ],
    [
      { kind: 'daily', end: 'until', until: '2027-01-01T00:00:00.000Z' },
      { rule: 'FREQ=DAILY', zone: 'Asia/Tehran', until: Date.UTC(2027, 0, 1) },
    ],
  ] as const)('%j is %j', (changes, repeat) => {
    expect(compose(changes as Partial<DraftRepeat>)).toEqual({ ...(repeat && { repeat }), faults: {} })
  })

  it('on the 30th is on the last day of February', () => {
    expect(compose({ kind: 'monthly' }, 30).repeat?.rule).toBe('FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1')
  })

  it.each([
    [{ kind: 'weekly' }, { 'repeat.rule': 'noDays' }],
    [{ kind: 'rule', rule: ' ' }, { 'repeat.rule': 'noRule' }],
    [{ kind: 'daily', end: 'count', count: '' }, { 'repeat.count': 'noCount' }],
    [{ kind: 'daily', end: 'count', count: '0' }, { 'repeat.count': 'noCount' }],
    [{ kind: 'daily', end: 'until' }, { 'repeat.until': 'noTime' }],
  ] as const)('%j is not whole', (changes, faults) => {
    expect(compose(changes as Partial<DraftRepeat>)).toEqual({ faults })
  })
})
