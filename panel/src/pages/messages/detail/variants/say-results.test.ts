import { messageVariants } from '@peyk/contract'
import { describe, expect, it } from 'vitest'
import { en } from '../../../../texts/en.ts'
import { fa } from '../../../../texts/fa.ts'
import { createFormat } from '../../../../texts/format.ts'
import { findBest, type Results, sayAnswer, sayChance, sayChange, sayLift, sayRate, sayWinner } from './say-results.ts'

const results = (messageVariants.example as { answer: Results }).answer
const format = createFormat('en')
const words = en.variants.results
const plain = (text: string | undefined) => text?.replace(/[\u2066-\u2069]/g, '')
const winner = results.winner as NonNullable<Results['winner']>
const withWinner = (changes: Partial<typeof winner>): Results => ({ ...results, winner: { ...winner, ...changes } })

describe('the answer', () => {
  const say = (changed: Partial<Results>) => plain(sayAnswer({ ...results, ...changed }, words, format))

  it('names the best one only when that is sure', () => {
    expect(say({})).toBe('B is best, with a probability of 99.2%')
    const [a, b] = results.variants as [Results['variants'][0], Results['variants'][0]]
    const close: Results = {
      ...results,
      variants: [
        { ...a, chanceOfBest: 0.3 },
        { ...b, chanceOfBest: 0.7 },
      ],
    }
    expect(plain(sayAnswer(close, words, format))).toBe('No clear winner yet')
    expect(findBest(close)).toBeUndefined()
  })

  it('says how many are needed where there are too few', () => {
    expect(say({ notEnoughData: true })).toBe('Not enough data yet: at least 100 users per variant')
    expect(plain(sayAnswer({ ...results, notEnoughData: true }, fa.variants.results, createFormat('fa')))).toBe(
      'هنوز دادهٔ کافی نیست: دست‌کم ۱۰۰ کاربر در هر نسخه',
    )
  })

  it('compares a message without variants with its control group', () => {
    const [a, b] = results.variants as [Results['variants'][0], Results['variants'][0]]
    expect(say({ variants: [{ ...b, name: 'default' }] })).toBe('+91% over the control group')
    expect(say({ variants: [{ ...a, name: 'default' }] })).toBe('No clear difference from the control group')
    const { lift: _lift, ...without } = a
    expect(say({ variants: [without] })).toBe('Against the control group')
  })
})

it('rates, lifts and chances have their base and their sign', () => {
  const [a] = results.variants as [Results['variants'][0]]
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
  const say = (changes: Partial<typeof winner>) => sayWinner(withWinner(changes), words, format)

  it('is told with its reason', () => {
    expect(say({})).toBe('B won: it has the highest open rate.')
    expect(say({ by: 'event:Purchase' })).toBe('B won: most of its users did “Purchase”.')
    expect(say({ why: 'tie', variant: 'A' })).toBe('No clear winner: the best were equal. The others get A.')
    expect(say({ why: 'notEnoughData', variant: 'A' })).toBe(
      'No winner: a variant had fewer than 100 users. The others get A.',
    )
  })

  it('is waited for', () => {
    expect(say({ state: 'testing' })).toBe(
      'Testing with 20% of the users. The winner is decided 4 hours after the last test delivery.',
    )
    expect(say({ state: 'waiting', decideAt: Date.now() + 2 * 3_600_000 + 60_000 })).toContain('in 2 hours')
    expect(say({ state: 'off' })).toBe('No winner: the message was stopped or expired before one was decided.')
    const { winner: _none, ...without } = results
    expect(sayWinner(without, words, format)).toBeUndefined()
  })
})
