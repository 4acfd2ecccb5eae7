import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CapState } from './cap.ts'
import { decideHandOver, type HandOverFacts, type HandOverRules } from './decide-hand-over.ts'

const at = new Date('2026-11-18T21:00Z')
const later = (hours: number) => new Date(at.getTime() + hours * 3_600_000)
const usual: HandOverRules = {
  category: 'news',
  respectsQuietHours: true,
  whenCapped: 'drop',
  isSilent: false,
  isLive: false,
  expiresAt: later(48),
}
const ready: HandOverFacts = { isInControlGroup: false, isWanted: true, quietUntil: undefined, cap: { kind: 'free' } }
const cap = { count: 3, window: '24h' }
const full: Extract<CapState, { kind: 'full' }> = {
  kind: 'full',
  cap,
  by: ['a', 'b', 'c'],
  untilMs: later(5).getTime(),
}

describe('a message with a category', () => {
  it.each<[string, Partial<HandOverRules>, Partial<HandOverFacts>, object]>([
    ['goes where nothing keeps it back', {}, {}, { kind: 'go' }],
    ['goes on where it was counted before', {}, { cap: { kind: 'counted' } }, { kind: 'go' }],
    ['ends in the control group', {}, { isInControlGroup: true }, { kind: 'end', reason: 'control' }],
    ['ends where it is not wanted', {}, { isWanted: false }, { kind: 'end', reason: 'unsubscribed' }],
    [
      'says control before all else',
      {},
      { isInControlGroup: true, isWanted: false, quietUntil: later(9), cap: full },
      { kind: 'end', reason: 'control' },
    ],
    [
      'says unsubscribed before it waits',
      {},
      { isWanted: false, quietUntil: later(9), cap: full },
      { kind: 'end', reason: 'unsubscribed' },
    ],
    [
      'ends in its own control group, whatever the category',
      { category: undefined },
      { isInOwnControl: true, quietUntil: later(9) },
      { kind: 'end', reason: 'control', detailCode: 'own-control' },
    ],
    [
      'ends in its own control group also when it is silent',
      { isSilent: true },
      { isInOwnControl: true },
      { kind: 'end', reason: 'control', detailCode: 'own-control' },
    ],
    [
      'says unsubscribed before its own control group',
      {},
      { isWanted: false, isInOwnControl: true },
      { kind: 'end', reason: 'unsubscribed' },
    ],
    [
      'waits for the winner before the morning and a cap',
      {},
      { winnerAt: later(4), quietUntil: later(9), cap: full },
      { kind: 'wait', for: 'winner', until: later(4) },
    ],
    [
      'ends where it would expire before the winner is known',
      { expiresAt: later(4) },
      { winnerAt: later(4) },
      { kind: 'end', reason: 'expired', detailCode: 'ends-before-winner' },
    ],
    ['waits for the morning', {}, { quietUntil: later(9) }, { kind: 'wait', for: 'quiet-hours', until: later(9) }],
    [
      'waits for the morning before a cap is asked',
      {},
      { quietUntil: later(9), cap: full },
      { kind: 'wait', for: 'quiet-hours', until: later(9) },
    ],
    ['does not wait when it says so', { respectsQuietHours: false }, { quietUntil: later(9) }, { kind: 'go' }],
    [
      'ends when its time ends in the quiet hours',
      { expiresAt: later(8) },
      { quietUntil: later(9) },
      { kind: 'end', reason: 'expired', detailCode: 'ends-in-quiet-hours' },
    ],
    [
      'ends when its time ends with the quiet hours',
      { expiresAt: later(9) },
      { quietUntil: later(9) },
      { kind: 'end', reason: 'expired' },
    ],
    [
      'ends when it is live and it is night',
      { isLive: true },
      { quietUntil: later(9) },
      { kind: 'end', reason: 'expired' },
    ],
    ['ends at a full cap', {}, { cap: full }, { kind: 'end', reason: 'capped', cap, by: full.by }],
    [
      'waits at a full cap when it says so',
      { whenCapped: 'wait' },
      { cap: full },
      { kind: 'wait', for: 'cap', until: later(5), cap, by: full.by },
    ],
    [
      'ends at a cap that is full longer than it lives',
      { whenCapped: 'wait', expiresAt: later(5) },
      { cap: full },
      { kind: 'end', reason: 'capped' },
    ],
    [
      'ends when it is live and the cap is full',
      { whenCapped: 'wait', isLive: true },
      { cap: full },
      { kind: 'end', reason: 'capped' },
    ],
    [
      'goes by night and over a cap when it is silent',
      { isSilent: true },
      { quietUntil: later(9), cap: full },
      { kind: 'go' },
    ],
    [
      'is not wanted when it is silent either',
      { isSilent: true },
      { isWanted: false },
      { kind: 'end', reason: 'unsubscribed' },
    ],
  ])('%s', (_what, rules, facts, expected) => {
    expect(decideHandOver({ ...usual, ...rules }, { ...ready, ...facts })).toMatchObject(expected)
  })

  /** The same said as a list of conditions, the first of which holds. */
  function judge(rules: HandOverRules, facts: HandOverFacts): string {
    const isNight = !rules.isSilent && rules.respectsQuietHours && facts.quietUntil !== undefined
    const isFull = !rules.isSilent && facts.cap.kind === 'full'
    const fits = (end: Date) => !rules.isLive && end.getTime() < rules.expiresAt.getTime()
    const list: [boolean, string][] = [
      [facts.isInControlGroup, 'end control'],
      [!facts.isWanted, 'end unsubscribed'],
      [facts.isInOwnControl === true, 'end control own-control'],
      [facts.winnerAt !== undefined && facts.winnerAt < rules.expiresAt, 'wait winner'],
      [facts.winnerAt !== undefined, 'end expired ends-before-winner'],
      [isNight && fits(facts.quietUntil as Date), 'wait quiet-hours'],
      [isNight, 'end expired ends-in-quiet-hours'],
      [
        isFull && rules.whenCapped === 'wait' && facts.cap.kind === 'full' && fits(new Date(facts.cap.untilMs)),
        'wait cap',
      ],
      [isFull, 'end capped'],
      [true, 'go'],
    ]
    return list.find(([holds]) => holds)?.[1] as string
  }

  it('is decided as the order of the rules says, and never waits past its end', () => {
    const hours = fc.integer({ min: 1, max: 60 }).map(later)
    const rules = fc.record({
      category: fc.constant('news'),
      respectsQuietHours: fc.boolean(),
      whenCapped: fc.constantFrom('drop' as const, 'wait' as const),
      isSilent: fc.boolean(),
      isLive: fc.boolean(),
      expiresAt: hours,
    })
    const facts = fc.record({
      isInControlGroup: fc.boolean(),
      isWanted: fc.boolean(),
      isInOwnControl: fc.boolean(),
      winnerAt: fc.option(hours, { nil: undefined }),
      quietUntil: fc.option(hours, { nil: undefined }),
      cap: fc.oneof(
        fc.constant({ kind: 'free' as const }),
        fc.constant({ kind: 'counted' as const }),
        hours.map((until) => ({ ...full, untilMs: until.getTime() })),
      ),
    })
    fc.assert(
      fc.property(rules, facts, (given, known) => {
        const decision = decideHandOver(given, known)
        const word =
          decision.kind === 'go'
            ? 'go'
            : `${decision.kind} ${decision.kind === 'wait' ? decision.for : decision.reason}`
        const detail = 'detailCode' in decision ? ` ${decision.detailCode}` : ''
        expect(word + detail).toBe(judge(given, known))
        if (decision.kind === 'wait') expect(decision.until < given.expiresAt).toBe(true)
      }),
    )
  })
})
