import { describe, expect, it } from 'vitest'
import { decideArrival, decideReaction, type Reaction } from './decide-reaction.ts'
import { makePerson } from './person.ts'

const messages = Array.from({ length: 100 }, (_, index) => `message-${index}`)
const people = Array.from({ length: 300 }, (_, index) => index + 2)
const pairs = messages.flatMap((messageId) => people.map((no) => ({ messageId, no })))
const shareOf = (count: number) => count / pairs.length
const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] as number

const reactions = (actions: string[]) =>
  pairs.flatMap(({ messageId, no }) => decideReaction(no, makePerson(no), { messageId, actions }) ?? [])
const of = (all: Reaction[], act: Reaction['act']) => all.filter((reaction) => reaction.act === act)

describe('a push', () => {
  const arrivals = pairs.map(({ messageId, no }) => decideArrival(no, messageId))
  const soon = arrivals.filter((afterMs) => afterMs !== undefined && afterMs < 10_000) as number[]
  const late = arrivals.filter((afterMs) => afterMs !== undefined && afterMs >= 10_000) as number[]

  it('comes to most within five seconds, to some when they are back, and to a few never', () => {
    expect(shareOf(soon.length)).toBeCloseTo(0.92, 2)
    expect(shareOf(late.length)).toBeCloseTo(0.05, 2)
    expect([Math.min(...soon) >= 300, Math.max(...soon) <= 5_000]).toEqual([true, true])
    expect([Math.min(...late) >= 60_000, Math.max(...late) <= 3_600_000]).toEqual([true, true])
  })

  it('is decided the same way each time', () => {
    expect(pairs.map(({ messageId, no }) => decideArrival(no, messageId))).toEqual(arrivals)
  })
})

describe('a notification', () => {
  it.each([
    ['open', 0.14, 22_000],
    ['dismiss', 0.25, 35_000],
    ['uninstall', 0.008, 90_000],
  ] as const)(
    'without buttons: %s by about %d of those who see it, half of them within %d ms',
    (act, share, afterMs) => {
      const found = of(reactions([]), act)
      expect(Math.abs(shareOf(found.length) / share - 1)).toBeLessThan(0.2)
      expect(median(found.map((reaction) => reaction.afterMs)) / afterMs).toBeGreaterThan(0.75)
      expect(median(found.map((reaction) => reaction.afterMs)) / afterMs).toBeLessThan(1.3)
    },
  )

  it('with buttons is answered by some of those who would have opened it, most with the first', () => {
    const all = reactions(['yes', 'no'])
    const taken = all.flatMap((reaction) => (reaction.act === 'take-action' ? [reaction.actionId] : []))
    expect(taken.length + of(all, 'open').length).toBe(of(reactions([]), 'open').length)
    expect(taken.length / (taken.length + of(all, 'open').length)).toBeCloseTo(0.3, 1)
    expect(taken.filter((id) => id === 'yes').length / taken.length).toBeCloseTo(0.85, 1)
    expect(new Set(taken)).toEqual(new Set(['yes', 'no']))
  })

  it('is opened by 8 to 20 of a hundred, another share for each message', () => {
    const crowd = Array.from({ length: 5_000 }, (_, index) => index)
    const shares = messages.slice(0, 20).map((messageId) => {
      const opened = crowd.filter(
        (no) => decideReaction(no, { interest: 1 }, { messageId, actions: [] })?.act === 'open',
      )
      return opened.length / crowd.length
    })
    expect(Math.min(...shares)).toBeGreaterThan(0.065)
    expect(Math.max(...shares)).toBeLessThan(0.215)
    expect(Math.max(...shares) - Math.min(...shares)).toBeGreaterThan(0.05)
  })

  it('is opened more readily by who is interested', () => {
    const opening = (interest: number) =>
      pairs.filter(({ messageId, no }) => decideReaction(no, { interest }, { messageId, actions: [] })?.act === 'open')
    expect(opening(1.6).length).toBeGreaterThan(opening(0.4).length * 3)
  })
})
