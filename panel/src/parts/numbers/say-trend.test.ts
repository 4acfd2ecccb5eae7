import { expect, it } from 'vitest'
import { trendsEn } from '../../texts/en/trends.ts'
import { createFormat } from '../../texts/format.ts'
import { sayTrend } from './say-trend.ts'

const say = (now: number, before: number, days = 30) =>
  sayTrend('installs', { now, before, days }, trendsEn, createFormat('en'))

it('answers whether a measure rose or fell', () => {
  expect(say(112, 100, 7)).toBe('Installs rose 12% against the week before')
  expect(say(75, 100)).toBe('Installs fell 25% against the 30 days before')
  expect(say(1_001, 1_000)).toBe('Installs stayed level with the 30 days before')
})

it('says numbers where a percentage says little, and that there is nothing where there is nothing', () => {
  expect(say(1_204, 3)).toBe('Installs: 1,204, against 3 in the 30 days before')
  expect(say(5, 0, 7)).toBe('Installs: 5, against 0 in the week before')
  expect(say(0, 12)).toBe('Installs: 0, against 12 in the 30 days before')
  expect(say(0, 0)).toBe('No installs in the last 30 days')
  const first = { now: 0, before: 0, days: 30, today: 200_000 }
  expect(sayTrend('activeUsers', first, trendsEn, createFormat('en'))).toBe(
    'Active users a day: 200,000 today, none on the days before',
  )
})
