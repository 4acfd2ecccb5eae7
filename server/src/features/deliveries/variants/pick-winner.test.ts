import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { leastUsers, pickWinner, trialOf } from './pick-winner.ts'

const trials = (...all: [number, number][]) =>
  all.map(([reached, given], index) => ({ name: 'ABCDE'[index] as string, given, reached }))

describe('the winner of a test', () => {
  it.each([
    ['the highest rate', trials([10, 100], [20, 100]), 'B', 'best'],
    ['the highest rate, not the most', trials([30, 300], [11, 100]), 'B', 'best'],
    ['otherwise on a tie', trials([10, 100], [30, 300]), 'A', 'tie'],
    ['otherwise when nobody did anything', trials([0, 100], [0, 500]), 'A', 'tie'],
    ['the best, though others tie', trials([10, 100], [10, 100], [11, 100]), 'C', 'best'],
    ['otherwise with too few of one', trials([99, 99], [1, 500]), 'A', 'notEnoughData'],
    ['otherwise with nobody', trials([0, 0], [0, 0]), 'A', 'notEnoughData'],
    ['otherwise with no variant', [], 'A', 'notEnoughData'],
  ])('is %s', (_, given, variant, why) => {
    expect(pickWinner(given, 'A')).toEqual({ variant, why })
  })

  it('is the same by another way to find it', () => {
    const trial = fc
      .integer({ min: 0, max: 400 })
      .chain((given) => fc.integer({ min: 0, max: given }).map((reached) => [reached, given] as [number, number]))
    fc.assert(
      fc.property(fc.array(trial, { minLength: 2, maxLength: 5 }), (given) => {
        const all = trials(...given)
        const best = all.filter((one) => all.every((other) => one.reached / one.given >= other.reached / other.given))
        const expected = all.some(({ given: users }) => users < leastUsers)
          ? { variant: 'otherwise', why: 'notEnoughData' }
          : best.length === 1
            ? { variant: best[0]?.name, why: 'best' }
            : { variant: 'otherwise', why: 'tie' }
        expect(pickWinner(all, 'otherwise')).toEqual(expected)
      }),
    )
  })

  it('is found among those it was handed over to, or for an event among all', () => {
    const count = { assigned: 120, handedOver: 100, shown: 90, opened: 30, acted: 5, dismissed: 9, goal: 7 }
    expect(trialOf('opened', count)).toEqual({ given: 100, reached: 30 })
    expect(trialOf('acted', count)).toEqual({ given: 100, reached: 5 })
    expect(trialOf('event:Purchase', count)).toEqual({ given: 120, reached: 7 })
  })
})
