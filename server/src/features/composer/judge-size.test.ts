import { expect, it } from 'vitest'
import { judgeSize, reachesEverybody } from './judge-size.ts'

it.each([
  [100, 0, false, undefined],
  [101, 0, false, { largest: 0, isEverybody: false }],
  [3_000, 1_000, false, undefined],
  [3_001, 1_000, false, { largest: 1_000, isEverybody: false }],
  [5, 1_000, true, { largest: 1_000, isEverybody: true }],
])('%i installations after at most %i, everybody: %s', (count, largest, isEverybody, unusual) => {
  expect(judgeSize(count, largest, isEverybody)).toEqual(unusual)
})

it.each([
  ['message', { user: '*' }, true],
  ['message', { user: '*', channel: 'default' }, true],
  ['message', { user: '*', channel: 'news' }, false],
  ['notification', { user: '*', channel: 'news' }, true],
  ['message', { target: {} }, true],
  ['message', { target: '{ }' }, true],
  ['message', { target: {}, channel: 'public/news' }, false],
  ['message', { target: { deviceType: 'ios' } }, false],
  ['message', { target: 'buyers' }, false],
  ['message', { user: 'sara' }, false],
] as const)('a %s to %j reaches everybody: %s', (product, sent, expected) => {
  expect(reachesEverybody(product, sent)).toBe(expected)
})
