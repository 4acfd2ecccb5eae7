import { expect, it } from 'vitest'
import { plot, type Series } from './plot.ts'

const series = (...values: number[][]): Series[] =>
  values.map((each, index) => ({ key: `s${index}`, label: `S${index}`, color: 'red', values: each }))
const days = ['2026-11-14', '2026-11-15']

it('leaves room above for the days before, when they were higher', () => {
  const chart = (earlier?: number[]) => plot({ days, series: series([1, 2]), kind: 'bars', earlier }, 600, 200)
  expect(chart().ticks.at(-1)).toBe(2)
  expect(chart([30, 8]).ticks.at(-1)).toBe(30)
})

it('writes names beside the last bar, one above the other, where there is room', () => {
  const chart = (width: number) =>
    plot({ days, series: series([5, 4], [5, 0], [5, 1]), kind: 'bars', earlier: undefined }, width, 200)
  const { labels, pad } = chart(600)
  expect(labels.map(({ key }) => key)).toEqual(['s0', 's1', 's2'])
  const heights = labels.map(({ at }) => at)
  for (const [index, at] of heights.entries())
    if (index > 0) expect((heights[index - 1] as number) - at).toBeGreaterThanOrEqual(16)
  expect(pad.right).toBeGreaterThan(chart(300).pad.right)
  expect(chart(300).labels).toEqual([])
  expect(plot({ days, series: series([5, 4]), kind: 'bars', earlier: undefined }, 600, 200).labels).toEqual([])
})

it('finds the day under a pointer, and none beside the bars', () => {
  const { dayAt, x } = plot({ days, series: series([1, 2]), kind: 'lines', earlier: undefined }, 600, 200)
  expect([dayAt(x(0)), dayAt(x(1)), dayAt(2), dayAt(599)]).toEqual([0, 1, undefined, undefined])
})
