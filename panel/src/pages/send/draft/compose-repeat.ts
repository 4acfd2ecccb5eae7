import type { Repeat } from '@peyk/contract'
import { plainDigits } from '#texts/digits.ts'

export const repeatKinds = ['none', 'daily', 'weekly', 'monthly', 'rule'] as const
export type RepeatKind = (typeof repeatKinds)[number]

/** How a message repeats, as it is typed. */
export interface DraftRepeat {
  kind: RepeatKind
  /** MO to SU; of a weekly one. */
  days: string[]
  /** Of RFC 5545; of one's own. */
  rule: string
  end: 'never' | 'count' | 'until'
  count: string
  /** ISO 8601; empty while it is not chosen. */
  until: string
}

export type RepeatFault = 'noDays' | 'noRule' | 'noCount' | 'noTime'

export const noRepeat: DraftRepeat = { kind: 'none', days: [], rule: '', end: 'never', count: '10', until: '' }

/** As the service takes it; undefined when it does not repeat. `at` is the first time, on the clock of the member. */
export function composeRepeat(
  repeat: DraftRepeat,
  at: Date,
  zone: string,
): { repeat?: Repeat; faults: Partial<Record<string, RepeatFault>> } {
  const rule = composeRule(repeat, at)
  if (rule === undefined) return { faults: {} }
  if (rule === '') return { faults: { 'repeat.rule': repeat.kind === 'weekly' ? 'noDays' : 'noRule' } }
  // A rule of one's own may have its end in it.
  if (repeat.end === 'never') return { repeat: { rule, zone }, faults: {} }
  if (repeat.end === 'count') {
    const count = Number(plainDigits(repeat.count.trim()) || Number.NaN)
    if (!Number.isSafeInteger(count) || count < 1) return { faults: { 'repeat.count': 'noCount' } }
    return { repeat: { rule, zone, count }, faults: {} }
  }
  const until = Date.parse(repeat.until)
  if (Number.isNaN(until)) return { faults: { 'repeat.until': 'noTime' } }
  return { repeat: { rule, zone, until }, faults: {} }
}

/** Empty while it is not whole. */
function composeRule({ kind, days, rule }: DraftRepeat, at: Date): string | undefined {
  switch (kind) {
    case 'none':
      return undefined
    case 'daily':
      return 'FREQ=DAILY'
    case 'weekly':
      return days.length === 0 ? '' : `FREQ=WEEKLY;BYDAY=${days.join(',')}`
    case 'monthly':
      return `FREQ=MONTHLY;${dayOfMonth(at.getDate())}`
    case 'rule':
      return rule.trim()
  }
}

/** The 31st is the last day of a month that has none. */
function dayOfMonth(day: number): string {
  if (day <= 28) return `BYMONTHDAY=${day}`
  const days = Array.from({ length: day - 27 }, (_, index) => 28 + index)
  return `BYMONTHDAY=${days.join(',')};BYSETPOS=-1`
}
