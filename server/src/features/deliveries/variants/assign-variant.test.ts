import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TestContent } from '../../messages/compose/compose-test.ts'
import { assignVariant, namesOf, testOf } from './assign-variant.ts'

const halves: TestContent = {
  variants: [
    { name: 'A', share: 50 },
    { name: 'B', share: 50 },
  ],
}
const winner = { by: 'opened', after: '4h', testShare: 20, otherwise: 'A' }

const test = fc
  .record({
    shares: fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 2, maxLength: 5 }),
    control: fc.option(fc.integer({ min: 1, max: 90 }), { nil: undefined }),
    testShare: fc.option(fc.integer({ min: 1, max: 90 }), { nil: undefined }),
  })
  .map(({ shares, control, testShare }): TestContent => {
    const sum = shares.reduce((all, share) => all + share, 0)
    return {
      variants: shares.map((share, index) => ({ name: `V${index}`, share: (share / sum) * 100 })),
      ...(control !== undefined && { control }),
      ...(testShare !== undefined && { winner: { ...winner, testShare } }),
    }
  })

function share(count: number, of: number): number {
  return (count / of) * 100
}

describe('what a user is given', () => {
  it('depends on the message and the user alone', () => {
    fc.assert(
      fc.property(test, fc.uuid(), fc.string(), (one, messageId, userId) => {
        expect(assignVariant(one, messageId, userId)).toEqual(assignVariant(structuredClone(one), messageId, userId))
      }),
    )
  })

  it('is control, the test or the winner in their shares, and each variant in its own', () => {
    const users = 20_000
    const messageId = '019d9c3e-5a00-7c1b-9f3e-2b8f4a6d7c10'
    const all: TestContent = {
      variants: [
        { name: 'A', share: 70 },
        { name: 'B', share: 30 },
      ],
      control: 10,
      winner,
    }
    const counts = new Map<string, number>()
    for (let user = 0; user < users; user++) {
      const place = assignVariant(all, messageId, `user-${user}`)
      const name = place.kind === 'tested' ? place.variant : place.kind
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    const expected = { control: 10, A: 90 * 0.2 * 0.7, B: 90 * 0.2 * 0.3, others: 90 * 0.8 }
    for (const [name, percent] of Object.entries(expected))
      expect(Math.abs(share(counts.get(name) ?? 0, users) - percent)).toBeLessThan(1)
  })

  it('is divided anew by another message', () => {
    const [one, two] = ['019d9c3e-5a00-7c1b-9f3e-2b8f4a6d7c10', '019d9c3e-5a00-7c1b-9f3e-2b8f4a6d7c11']
    const users = 4_000
    let both = 0
    for (let user = 0; user < users; user++) {
      const [first, second] = [one, two].map((id) => JSON.stringify(assignVariant(halves, id, `user-${user}`)))
      if (first === second) both++
    }
    expect(Math.abs(share(both, users) - 50)).toBeLessThan(4)
  })

  it('keeps those in control, and out of the test, when their shares grow', () => {
    fc.assert(
      fc.property(test, fc.uuid(), fc.string(), fc.integer({ min: 0, max: 10 }), (one, messageId, userId, more) => {
        const place = assignVariant(one, messageId, userId)
        if (place.kind === 'control') {
          const grown = { ...one, control: (one.control ?? 0) + more }
          expect(assignVariant(grown, messageId, userId)).toEqual(place)
        }
        if (place.kind === 'tested' && one.winner) {
          const grown = { ...one, winner: { ...one.winner, testShare: one.winner.testShare + more } }
          expect(assignVariant(grown, messageId, userId)).toEqual(place)
        }
      }),
    )
  })

  it('is always one of the message’s, also where the shares add up to a little less than 100', () => {
    const thirds = { variants: ['A', 'B', 'C'].map((name) => ({ name, share: 33.3 })) }
    for (let user = 0; user < 2_000; user++) {
      const place = assignVariant(thirds, 'm', String(user))
      expect(place.kind === 'tested' && ['A', 'B', 'C'].includes(place.variant)).toBe(true)
    }
  })

  it('is the plain message where there is only a control group', () => {
    const kinds = new Set(
      Array.from({ length: 200 }, (_, user) => JSON.stringify(assignVariant({ control: 50 }, 'm', String(user)))),
    )
    expect(kinds).toEqual(
      new Set([JSON.stringify({ kind: 'control' }), JSON.stringify({ kind: 'tested', variant: 'default' })]),
    )
  })
})

describe('a test', () => {
  it('is a message with variants or a control group', () => {
    expect(testOf({ content: 'Hello' })).toBeUndefined()
    expect(testOf({ content: 'Hello', contents: { fa: { content: 'سلام' } } })).toBeUndefined()
    expect(testOf({ control: 10 })).toEqual({ control: 10 })
    expect(namesOf({ ...halves, control: 10 })).toEqual(['A', 'B', 'control'])
    expect(namesOf({ control: 10 })).toEqual(['default', 'control'])
  })
})
