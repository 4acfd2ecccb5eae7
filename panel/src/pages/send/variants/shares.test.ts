import fc from 'fast-check'
import { expect, it } from 'vitest'
import { evenShares, mostVariants, setShare, withoutShare } from './shares.ts'

const sum = (shares: readonly number[]) => shares.reduce((all, share) => all + share, 0)

it('divides evenly, in whole percentages', () => {
  expect(evenShares(2)).toEqual([50, 50])
  expect(evenShares(3)).toEqual([34, 33, 33])
  expect(evenShares(4)).toEqual([25, 25, 25, 25])
  expect(evenShares(5)).toEqual([20, 20, 20, 20, 20])
})

it('takes what one gets from the others, in their proportions', () => {
  expect(setShare([50, 50], 0, 70)).toEqual([70, 30])
  expect(setShare([50, 50], 1, 10)).toEqual([90, 10])
  expect(setShare([60, 20, 20], 0, 20)).toEqual([20, 40, 40])
  expect(setShare([20, 60, 20], 0, 60)).toEqual([60, 30, 10])
})

it('leaves at least one percent to each', () => {
  expect(setShare([50, 50], 0, 100)).toEqual([99, 1])
  expect(setShare([34, 33, 33], 2, 100)).toEqual([1, 1, 98])
  expect(setShare([34, 33, 33], 2, -5)).toEqual([50, 49, 1])
})

it('gives what a removed one had to the others', () => {
  expect(withoutShare([50, 25, 25], 0)).toEqual([50, 50])
  expect(withoutShare([10, 60, 30], 1)).toEqual([25, 75])
})

it('always adds up to 100, whatever is set', () => {
  const steps = fc.array(fc.tuple(fc.nat(mostVariants - 1), fc.integer({ min: -10, max: 120 })), { maxLength: 12 })
  fc.assert(
    fc.property(fc.integer({ min: 2, max: mostVariants }), steps, (count, changes) => {
      let shares = evenShares(count)
      for (const [place, share] of changes) {
        shares = setShare(shares, place % count, share)
        expect(sum(shares)).toBe(100)
        expect(shares.every((each) => Number.isInteger(each) && each >= 1)).toBe(true)
      }
      expect(sum(withoutShare(shares, 0))).toBe(100)
    }),
  )
})
