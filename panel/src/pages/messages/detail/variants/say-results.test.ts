import { messageVariants } from '@peyk/contract'
import { describe, expect, it } from 'vitest'
import { en } from '#texts/en.ts'
import { fa } from '#texts/fa.ts'
import { createFormat } from '#texts/format.ts'
import {
  findBest,
  type Hold,
  type Results,
  sayAnswer,
  sayChance,
  sayChange,
  sayLift,
  sayRate,
  sayWinner,
} from './say-results.ts'

const results = (messageVariants.example as { answer: Results }).answer
const format = createFormat('en')
const words = en.variants.results
const plain = (text: string | undefined) => text?.replace(/[\u2066-\u2069]/g, '')
const winner = results.winner as NonNullable<Results['winner']>
const withWinner = (changes: Partial<typeof winner>): Results => ({ ...results, winner: { ...winner, ...changes } })

const [a, b] = results.variants as [Results['variants'][0], Results['variants'][0]]
const { winner: _decided, ...undecided } = results
const close: Results = {
  ...undecided,
  variants: [
    { ...a, chanceOfBest: 0.3 },
    { ...b, chanceOfBest: 0.7 },
  ],
}

describe('the answer', () => {
  const say = (changed: Partial<Results>) => plain(sayAnswer({ ...undecided, ...changed }, words, format))

  it('names the best one only when that is sure', () => {
    expect(say({})).toBe('B is best, with a probability of 99.2%')
    expect(say(close)).toBe('No clear winner yet')
    expect(findBest(close)).toBeUndefined()
  })

  it('is the winner that was chosen, whatever the numbers say later', () => {
    for (const each of [results, close, { ...close, notEnoughData: true }]) {
      const decided = { ...each, winner }
      expect(plain(sayAnswer(decided, words, format))).toBe('B won')
      expect(plain(sayAnswer(decided, fa.variants.results, createFormat('fa')))).toBe('B برنده شد')
      expect(findBest(decided)?.name).toBe('B')
    }
    expect(say({ winner: { ...winner, why: 'tie', variant: 'A' } })).toBe('No winner: the best variants were equal')
    expect(say({ winner: { ...winner, why: 'notEnoughData', variant: 'A' } })).toBe(
      'No winner: too few users in the test',
    )
    expect(say({ winner: { ...winner, state: 'off' } })).toBe('No winner was chosen')
  })

  it('says how many are needed where there are too few', () => {
    expect(say({ notEnoughData: true })).toBe('Not enough data yet: at least 100 users per variant')
    expect(plain(sayAnswer({ ...undecided, notEnoughData: true }, fa.variants.results, createFormat('fa')))).toBe(
      'هنوز دادهٔ کافی نیست: دست‌کم ۱۰۰ کاربر در هر نسخه',
    )
  })

  it('compares a message without variants with its control group', () => {
    expect(say({ variants: [{ ...b, name: 'default' }] })).toBe('+91% over the control group')
    expect(say({ variants: [{ ...a, name: 'default' }] })).toBe('No clear difference from the control group')
    const { lift: _lift, ...without } = a
    expect(say({ variants: [without] })).toBe('Against the control group')
  })
})

it('rates, lifts and chances have their base and their sign', () => {
  expect(sayRate(a.rate, 'opened', words, format)).toBe('80 of 1,000 users opened it')
  expect(sayRate(a.rate, 'event:Purchase', words, format)).toBe('“Purchase”: 80 of 1,000 users')
  expect(plain(sayLift(a, 100, words, format))).toBe('+22.7% over the control group (−25.9% to +103.2%)')
  const { lift: _lift, ...without } = a
  expect(sayLift({ ...without, liftMissing: 'notEnoughData' }, 100, words, format)).toContain('at least 100 users')
  expect(sayLift({ ...without, liftMissing: 'noEvents' }, 100, words, format)).toContain('nobody')
  expect(sayLift(without, 100, words, format)).toBeUndefined()
  expect(plain(sayChance(0.99999, format))).toBe('>99.9%')
  expect(plain(sayChance(0, format))).toBe('<0.1%')
  expect(sayChange(0.2, createFormat('fa'))).toBe('\u2066+۲۰٪\u2069')
})

describe('the winner', () => {
  const now = winner.decidedAt ?? 0
  const say = (changes: Partial<typeof winner>, hold?: Hold) =>
    plain(sayWinner(withWinner(changes), { hold, now }, words, format))

  it('has its reason, in the past: rates go on changing', () => {
    const moment = format.moment(now)
    expect(say({})).toBe(`It had the highest open rate when the test ended (${moment}).`)
    expect(say({ by: 'event:Purchase' })).toBe(
      `The largest share of its users did “Purchase” by the end of the test (${moment}).`,
    )
    expect(say({ why: 'tie', variant: 'A' })).toBe('A was chosen for the other users.')
    expect(say({ why: 'notEnoughData', variant: 'A' })).toBe(
      'A variant had fewer than 100 users. A was chosen for the others.',
    )
  })

  it('is waited for', () => {
    expect(say({ state: 'testing' })).toBe(
      'Testing with 20% of the users. The winner will be chosen 4 hours after the last test delivery.',
    )
    const decideAt = Date.now() + 2 * 3_600_000 + 60_000
    expect(say({ state: 'waiting', decideAt })).toContain('in 2 hours')
    expect(say({ state: 'off' })).toBe('The message was stopped or expired before the test ended.')
    expect(sayWinner(undecided, { hold: undefined, now }, words, format)).toBeUndefined()
  })

  it('is never chosen in the past, and not while nothing is sent', () => {
    for (const decideAt of [now - 20_000, now, now + 3_600_000]) {
      expect(say({ state: 'waiting', decideAt }, 'paused')).toBe(
        'The winner will be chosen after you resume the message.',
      )
      expect(say({ state: 'waiting', decideAt }, 'stopped')).toBe('The winner will be chosen after sending is resumed.')
    }
    expect(say({ state: 'waiting', decideAt: now - 20_000 })).toBe('The winner is being chosen.')
  })
})
