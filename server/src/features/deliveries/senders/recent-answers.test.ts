import { expect, it } from 'vitest'
import { RecentAnswers } from './recent-answers.ts'

const minutes = (count: number) => count * 60_000

it('adds up what came within minutes, for each app and provider by itself', () => {
  const recent = new RecentAnswers()
  recent.add('1/fcm', { answered: 1, dead: 1 }, 0)
  recent.add('2/fcm', { answered: 100, dead: 0 }, 0)
  expect(recent.add('1/fcm', { answered: 2, dead: 1 }, minutes(4))).toEqual({ answered: 3, dead: 2 })
})

it('forgets what is older than ten minutes', () => {
  const recent = new RecentAnswers()
  recent.add('1/fcm', { answered: 10, dead: 10 }, 0)
  expect(recent.add('1/fcm', { answered: 1, dead: 0 }, minutes(6))).toEqual({ answered: 11, dead: 10 })
  expect(recent.add('1/fcm', { answered: 1, dead: 0 }, minutes(11))).toEqual({ answered: 2, dead: 0 })
  expect(recent.add('1/fcm', { answered: 1, dead: 1 }, minutes(60))).toEqual({ answered: 1, dead: 1 })
})
