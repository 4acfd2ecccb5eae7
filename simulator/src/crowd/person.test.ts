import { expect, it } from 'vitest'
import { makePerson } from './person.ts'

const people = Array.from({ length: 1_000 }, (_, index) => makePerson(index + 2))
const shareWith = (is: (person: (typeof people)[number]) => boolean) => people.filter(is).length / people.length

it('has devices of every kind, some without a provider, and some that allow no notifications', () => {
  expect(shareWith(({ platform }) => platform === 'android')).toBeCloseTo(0.56, 1)
  expect(shareWith(({ platform }) => platform === 'ios')).toBeCloseTo(0.26, 1)
  expect(shareWith(({ platform }) => platform === 'web')).toBeCloseTo(0.18, 1)
  expect(shareWith(({ provider }) => provider === 'none')).toBeCloseTo(0.08, 1)
  expect(shareWith(({ permission }) => permission === 'denied')).toBeCloseTo(0.04, 1)
  expect(new Set(people.map(({ platform, provider }) => `${platform} ${provider}`))).toEqual(
    new Set(['android fcm', 'android none', 'ios apns', 'web webpush']),
  )
})

it('is the same one for the same number', () => {
  expect(people.map((_, index) => makePerson(index + 2))).toEqual(people)
  expect(makePerson(17).userId).toBe('user-17')
})
