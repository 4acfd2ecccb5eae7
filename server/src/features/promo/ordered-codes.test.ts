import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OrderedCodes } from './ordered-codes.ts'

const goOn = (...blocks: string[][]) => {
  const order = new OrderedCodes()
  return blocks.every((codes) => order.goOn(Buffer.from(codes.map((code) => `${code}\n`).join(''))))
}

describe('codes in order', () => {
  it.each([
    ['rising', [['A', 'B'], ['C']], true],
    ['a longer one after its beginning', [['A', 'AA', 'AA-']], true],
    ['by bytes: hyphen, digits, capitals, small letters', [['-', '0', '9', 'A', 'Z', 'a', 'z']], true],
    ['a repeat', [['A', 'A']], false],
    ['a repeat in the next block', [['A'], ['A']], false],
    ['falling', [['B', 'A']], false],
    ['falling into the next block', [['A', 'C'], ['B']], false],
    ['a shorter one after a longer one', [['AA', 'A']], false],
    ['numbers without zeros before them', [['C-9', 'C-10']], false],
  ])('%s', (_title, blocks, isOrdered) => {
    expect(goOn(...blocks)).toBe(isOrdered)
  })

  it('are those that a comparison byte by byte calls rising', () => {
    const code = fc.string({ unit: fc.constantFrom('-', '0', 'A', 'a'), minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(fc.array(fc.array(code, { minLength: 1, maxLength: 3 }), { maxLength: 3 }), (blocks) => {
        const codes = blocks.flat()
        const isRising = codes.every((each, index) => index === 0 || (codes[index - 1] as string) < each)
        expect(goOn(...blocks)).toBe(isRising)
      }),
      { numRuns: 2_000 },
    )
  })
})
