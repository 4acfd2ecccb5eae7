import { expect, it } from 'vitest'
import { stack, ticksUpTo } from './scale.ts'

it('marks round numbers up to the highest value', () => {
  const cases: [highest: number, ticks: number[]][] = [
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [5, [0, 2, 4, 6]],
    [9, [0, 5, 10]],
    [27, [0, 10, 20, 30]],
    [83, [0, 25, 50, 75, 100]],
    [100, [0, 25, 50, 75, 100]],
    [240, [0, 100, 200, 300]],
    [2860.4, [0, 1000, 2000, 3000]],
    [0.3, [0, 0.1, 0.2, 0.3]],
  ]
  for (const [highest, ticks] of cases) expect(ticksUpTo(highest)).toEqual(ticks)
})

it('never ends below the highest value, nor has many marks', () => {
  for (let highest = 0.01; highest < 1e9; highest *= 1.37) {
    for (const value of [highest, Math.ceil(highest)]) {
      const ticks = ticksUpTo(value)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(value * 0.999999)
      expect(ticks.length).toBeLessThanOrEqual(6)
    }
  }
})

it('puts the values of a day on top of one another', () => {
  expect(stack([{ values: [1, 0] }, { values: [2, 3] }], 2)).toEqual({
    pieces: [
      { series: 0, day: 0, from: 0, to: 1 },
      { series: 1, day: 0, from: 1, to: 3 },
      { series: 1, day: 1, from: 0, to: 3 },
    ],
    totals: [3, 3],
  })
})
