import { stack, ticksUpTo } from './scale.ts'

export interface Series {
  key: string
  label: string
  /** A CSS colour. */
  color: string
  values: readonly number[]
}

/** Bars are stacked; nested ones stand in front of one another, each a part of the one before. */
export type ChartKind = 'bars' | 'nested' | 'lines'

export interface Plotted {
  days: readonly string[]
  series: readonly Series[]
  kind: ChartKind
  /** The same measure in as many days before, one value per day. */
  earlier: readonly number[] | undefined
  /** Which of the series it is of, where that is not the sum of them. */
  earlierName?: string | undefined
}

const pad = { top: 10, bottom: 24, left: 46, right: 8 }
const roomForLabels = 460
const widestLabel = 130
const widestBar = 64

/** About as wide as the longest name beside the last bar. */
function labelWidth(series: readonly Series[]): number {
  return Math.min(widestLabel, 24 + 7 * Math.max(...series.map(({ label }) => label.length)))
}

/** Where everything of a chart stands, in pixels. */
export function plot({ days, series, kind, earlier }: Plotted, width: number, height: number) {
  const hasLabels = series.length > 1 && width >= roomForLabels
  const right = hasLabels ? labelWidth(series) : pad.right
  const inner = { width: Math.max(0, width - pad.left - right), height: height - pad.top - pad.bottom }
  const stacks = kind === 'bars' ? stack(series, days.length) : undefined
  const values = stacks?.totals ?? series.flatMap((each) => each.values)
  const ticks = ticksUpTo(Math.max(0, ...values, ...(earlier ?? [])))
  const top = ticks.at(-1) as number
  const step = inner.width / Math.max(1, days.length)
  const x = (day: number) => pad.left + step * (day + 0.5)
  const y = (value: number) => pad.top + inner.height * (1 - value / top)
  return {
    pad: { ...pad, right },
    inner,
    ticks,
    stacks,
    step,
    x,
    y,
    bar: (day: number, from: number, to: number, share: number) => ({
      x: x(day) - (Math.min(step, widestBar) * share) / 2,
      width: Math.max(1, Math.min(step, widestBar) * share),
      y: y(to),
      height: Math.max(0, y(from) - y(to)),
      rx: Math.min(2, step / 6),
    }),
    labelEvery: Math.max(1, Math.ceil(days.length / Math.max(1, Math.floor(inner.width / 80)))),
    dayAt: (offset: number) => {
      const day = Math.floor((offset - pad.left) / step)
      return day >= 0 && day < days.length ? day : undefined
    },
    labels: hasLabels ? placeLabels(series, kind, y, days.length) : [],
  }
}

export type Plot = ReturnType<typeof plot>

const lineHeight = 16

/** A name for each series at the height of its last values, the highest first, none over another. */
function placeLabels(series: readonly Series[], kind: ChartKind, y: (value: number) => number, days: number) {
  const day = lastWithValues(series, days)
  let below = 0
  const wanted = series.map(({ key, label, color, values }) => {
    const value = values[day] ?? 0
    const middle = kind === 'bars' ? below + value / 2 : value
    if (kind === 'bars') below += value
    return { key, label, color, at: y(middle) }
  })
  const placed: typeof wanted = []
  // From the bottom up: each makes room for the one below it.
  for (const each of wanted.toSorted((one, other) => other.at - one.at)) {
    const lowest = (placed.at(-1)?.at ?? Number.POSITIVE_INFINITY) - lineHeight
    placed.push({ ...each, at: Math.min(each.at, lowest) })
  }
  return placed
}

function lastWithValues(series: readonly Series[], days: number): number {
  for (let day = days - 1; day > 0; day--) if (series.some(({ values }) => (values[day] ?? 0) > 0)) return day
  return 0
}
