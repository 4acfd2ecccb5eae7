import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { betaUpTo } from './beta.ts'
import { chancesOfBeingBest, liftOver, wilsonInterval } from './compare-variants.ts'

describe('the interval of a rate', () => {
  // R. G. Newcombe, Statistics in Medicine 17 (1998), 857–872, table I, method 3.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('of %i of %i is that of Newcombe’s table', (reached, given, from, to) => {
    const interval = wilsonInterval({ given, reached })
    expect(interval.from).toBeCloseTo(from, 4)
    expect(interval.to).toBeCloseTo(to, 4)
  })

  it('of nobody is everything', () => {
    expect(wilsonInterval({ given: 0, reached: 0 })).toEqual({ from: 0, to: 1 })
  })
})

describe('the chance of being best', () => {
  // E. Miller, Formulas for Bayesian A/B Testing (2013).
  it('is that of the closed form for two', () => {
    const closed = (first: [number, number], second: [number, number]) => {
      // P(second > first) for whole numbers, summed with exact fractions of factorials as logarithms.
      const logFactorial = (n: number) =>
        Array.from({ length: n }, (_, index) => Math.log(index + 1)).reduce((a, b) => a + b, 0)
      const logBeta = (a: number, b: number) => logFactorial(a - 1) + logFactorial(b - 1) - logFactorial(a + b - 1)
      let sum = 0
      for (let index = 0; index < second[0]; index++) {
        sum += Math.exp(
          logBeta(first[0] + index, first[1] + second[1]) -
            Math.log(second[1] + index) -
            logBeta(1 + index, second[1]) -
            logBeta(first[0], first[1]),
        )
      }
      return sum
    }
    for (const [one, two] of [
      [
        { given: 100, reached: 10 },
        { given: 100, reached: 15 },
      ],
      [
        { given: 1000, reached: 50 },
        { given: 900, reached: 45 },
      ],
      [
        { given: 20, reached: 0 },
        { given: 30, reached: 1 },
      ],
    ] as const) {
      const expected = closed(
        [1 + one.reached, 1 + one.given - one.reached],
        [1 + two.reached, 1 + two.given - two.reached],
      )
      expect(chancesOfBeingBest([one, two])[1]).toBeCloseTo(expected, 8)
    }
  })

  it('is what can be worked out by hand for the smallest numbers', () => {
    // Beta(2, 1) against Beta(1, 2): ∫ 2x (2x − x²) dx = 5/6. Beta(2, 1) against two of Beta(1, 1): ∫ 2x · x² dx = 1/2.
    const [none, one] = chancesOfBeingBest([
      { given: 1, reached: 0 },
      { given: 1, reached: 1 },
    ])
    expect(none).toBeCloseTo(1 / 6, 9)
    expect(one).toBeCloseTo(5 / 6, 9)
    const untried = { given: 0, reached: 0 }
    const three = chancesOfBeingBest([{ given: 1, reached: 1 }, untried, untried])
    for (const [index, expected] of [1 / 2, 1 / 4, 1 / 4].entries()) expect(three[index]).toBeCloseTo(expected, 9)
  })

  it('is shared evenly by equals, adds up to one, and grows with what was reached', () => {
    const even = chancesOfBeingBest([1, 2, 3, 4].map(() => ({ given: 500, reached: 40 })))
    for (const chance of even) expect(chance).toBeCloseTo(0.25, 10)
    const trial = fc
      .integer({ min: 1, max: 100_000 })
      .chain((given) => fc.integer({ min: 0, max: given }).map((reached) => ({ given, reached })))
    fc.assert(
      fc.property(fc.array(trial, { minLength: 2, maxLength: 5 }), (trials) => {
        const chances = chancesOfBeingBest(trials)
        expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 10)
        const [first, ...others] = trials as [{ given: number; reached: number }, ...typeof trials]
        const better = chancesOfBeingBest([{ ...first, reached: Math.min(first.given, first.reached + 1) }, ...others])
        expect(better[0] as number).toBeGreaterThanOrEqual((chances[0] as number) - 1e-9)
      }),
      { numRuns: 20 },
    )
  })
})

describe('the lift over control', () => {
  // A. Agresti, Categorical Data Analysis: heart attacks in the Physicians' Health Study, 1.82 (1.43 to 2.30).
  it('is that of Agresti’s example', () => {
    const found = liftOver({ given: 11_037, reached: 104 }, { given: 11_034, reached: 189 })
    expect(found?.lift).toBeCloseTo(0.82, 2)
    expect(found?.from).toBeCloseTo(0.43, 2)
    expect(found?.to).toBeCloseTo(1.31, 2)
  })

  it('is not said where there is no ratio', () => {
    expect(liftOver({ given: 100, reached: 0 }, { given: 100, reached: 5 })).toBeUndefined()
    expect(liftOver({ given: 100, reached: 5 }, { given: 100, reached: 0 })).toBeUndefined()
  })
})

describe('the incomplete beta function', () => {
  it('has known values', () => {
    expect(betaUpTo(0.5, 2, 2)).toBeCloseTo(0.5, 14)
    expect(betaUpTo(0.25, 1, 1)).toBeCloseTo(0.25, 14)
    // 1 − (1 − x)^b for a = 1, x^a for b = 1.
    expect(betaUpTo(0.1, 1, 5)).toBeCloseTo(1 - 0.9 ** 5, 14)
    expect(betaUpTo(0.9, 7, 1)).toBeCloseTo(0.9 ** 7, 14)
  })
})
