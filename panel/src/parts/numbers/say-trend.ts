import type { Texts } from '../../texts/en.ts'
import type { Format } from '../../texts/format.ts'
import { type Compared, changeOf } from './measures.ts'

type Trends = Texts['overview']['trends']
type Measure = keyof Trends['what']

interface Trend extends Compared {
  days: number
  /** Today so far, for a value that is compared by completed days. */
  today?: number
  /** Whole numbers unless told otherwise. */
  show?: (value: number) => string
}

/** A smaller change is none. */
const levelShare = 0.005

/** What a chart answers: whether a measure rose or fell against the days before. */
export function sayTrend(measure: Measure, trend: Trend, texts: Trends, format: Format): string {
  return sayTrendOf({ what: texts.what[measure], nothing: texts.nothing[measure] }, trend, texts, format)
}

export function sayTrendOf(
  { what, nothing }: { what: string; nothing: string },
  { now, before, days, today = 0, show }: Trend,
  texts: Trends,
  format: Format,
): string {
  const written = show ?? format.number
  if (now === 0 && before === 0)
    return today > 0 ? texts.todayOnly(what, written(today)) : texts.none(nothing, format.number(days))
  const period = texts.before(days, format.number(days))
  const change = changeOf({ now, before })
  if (change === undefined || now === 0) return texts.against(what, written(now), written(before), period)
  if (Math.abs(change) < levelShare) return texts.level(what, period)
  const size = Math.abs(change)
  const share = format.percent(size < 0.1 ? size : Math.round(size * 100) / 100)
  return change > 0 ? texts.rose(what, share, period) : texts.fell(what, share, period)
}
