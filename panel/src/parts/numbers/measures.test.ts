import type { DayMeasure, Overview } from '@peyk/contract'
import { expect, it } from 'vitest'
import { averageOf, changeOf, hasOther, openShare, seriesOf, shareOf, totalOf, valuesOf } from './measures.ts'

const names: DayMeasure[] = [
  'installs',
  'visits',
  'activeInstallations',
  'activeUsers',
  'uninstalls',
  'churned',
  'sent',
  'delivered',
  'shown',
  'opened',
]
const words = { android: 'Android', ios: 'iOS', web: 'Browser', other: 'Other' }

function measures(installs: Partial<Record<keyof typeof words, number[]>>): Pick<Overview, 'platforms' | 'before'> {
  const each = <T>(make: (platform: keyof typeof words) => T) =>
    Object.fromEntries(Object.keys(words).map((name) => [name, make(name as keyof typeof words)]))
  const fill = <T>(value: T) => Object.fromEntries(names.map((name) => [name, value]))
  return {
    platforms: each((name) => ({ ...fill([0, 0]), installs: installs[name] ?? [0, 0] })),
    before: each((name) => ({ ...fill(0), installs: name === 'android' ? 4 : 0 })),
  } as Pick<Overview, 'platforms' | 'before'>
}

it('adds up platforms, or looks at one of them', () => {
  const found = measures({ android: [1, 2], ios: [3, 0] })
  expect(totalOf(found, 'installs')).toEqual({ now: 6, before: 4 })
  expect(totalOf(found, 'installs', 'ios')).toEqual({ now: 3, before: 0 })
  expect(valuesOf(found, 'installs')).toEqual([4, 2])
  expect(valuesOf(found, 'installs', 'android')).toEqual([1, 2])
})

it('compares with the days before where there was something', () => {
  expect(changeOf({ now: 6, before: 4 })).toBe(0.5)
  expect(changeOf({ now: 6, before: 0 })).toBeUndefined()
  expect(changeOf({ now: 600, before: 4 })).toBeUndefined()
  expect(changeOf({ now: 0, before: 4 })).toBe(-1)
})

it('compares the very number that is shown, today so far included', () => {
  expect(changeOf(totalOf(measures({ android: [4, 0] }), 'installs'))).toBe(0)
  expect(changeOf(totalOf(measures({ android: [4, 4] }), 'installs'))).toBe(1)
})

it('takes the average day of the days that are over', () => {
  const { platforms, before } = measures({})
  platforms.android.activeUsers = [3, 9, 1]
  platforms.ios.activeUsers = [3, 3, 0]
  before.android.activeUsers = 6
  expect(averageOf({ platforms, before }, 'activeUsers')).toEqual({ now: 9, before: 3 })
  expect(averageOf({ platforms, before }, 'activeUsers', 'ios')).toEqual({ now: 3, before: 0 })
})

it('never has a share of more than all', () => {
  expect([shareOf(1, 4), shareOf(5, 4), shareOf(0, 4), shareOf(5, 0)]).toEqual([0.25, 1, 0, undefined])
  expect(openShare({ opened: 2, acted: 1, delivered: 12 })).toBe(0.25)
  expect(openShare({ opened: 0, acted: 0, delivered: 0 })).toBeUndefined()
})

it('shows other platforms only where there are any', () => {
  expect(seriesOf(measures({}), 'installs', words).map(({ key }) => key)).toEqual(['android', 'ios', 'web'])
  expect(seriesOf(measures({ other: [0, 1] }), 'installs', words)).toHaveLength(4)
  expect(seriesOf(measures({}), 'installs', words, 'web').map(({ label }) => label)).toEqual(['Browser'])
  expect([hasOther(measures({})), hasOther(measures({ other: [0, 1] }))]).toEqual([false, true])
})
