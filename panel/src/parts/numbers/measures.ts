import type { DayMeasure, Overview } from '@peyk/contract'
import type { Series } from '../charts/plot.ts'
import { type Platform, platforms } from '../platforms.ts'

type Measures = Pick<Overview, 'platforms' | 'before'>
type Days = Pick<Overview, 'platforms'>

/** A period up to this moment, and the equally long one before it, up to the same moment of the day. */
export interface Compared {
  now: number
  before: number
}

const mostTimes = 10

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** Reports may come for what was sent on a day before: a share is never more than all. Undefined: there is nothing. */
export function shareOf(part: number, whole: number): number | undefined {
  return whole <= 0 ? undefined : Math.min(1, part / whole)
}

/** Devices on which it was opened: somebody tapped it, or pressed one of its buttons. */
export function openedOf({ opened, acted }: Record<'opened' | 'acted', number>): number {
  return opened + acted
}

/** Of those that were delivered. */
export function openShare(states: Record<'opened' | 'acted' | 'delivered', number>): number | undefined {
  return shareOf(openedOf(states), states.delivered)
}

/** A measure of the whole period, of one platform or of all, and of the period before. */
export function totalOf(measures: Measures, name: DayMeasure, platform?: Platform): Compared {
  const own = platform ? [platform] : platforms
  return {
    now: sum(own.map((each) => sum(measures.platforms[each][name]))),
    before: sum(own.map((each) => measures.before[each][name])),
  }
}

/** What is counted once a day, on the average day: of the days that are over, and of as many before. */
export function averageOf(
  measures: Measures,
  name: 'activeUsers' | 'activeInstallations',
  platform?: Platform,
): Compared {
  const over = valuesOf(measures, name, platform).slice(0, -1)
  return { now: sum(over) / over.length, before: totalOf(measures, name, platform).before / over.length }
}

/** As a share: 0.1 is ten percent more. Undefined where there was too little before to compare with. */
export function changeOf({ now, before }: Compared): number | undefined {
  return before <= 0 || now > before * mostTimes ? undefined : now / before - 1
}

/** A measure day by day, one series per platform that has any, or of the one that is asked for. */
export function seriesOf(
  measures: Measures,
  name: DayMeasure,
  words: Record<Platform, string>,
  platform?: Platform,
): Series[] {
  const shown = platform
    ? [platform]
    : platforms.filter((each) => each !== 'other' || sum(measures.platforms.other[name]) > 0)
  return shown.map((each) => ({
    key: each,
    label: words[each],
    color: `var(--peyk-${each})`,
    values: measures.platforms[each][name],
  }))
}

/** A measure day by day, of one platform or all together. */
export function valuesOf(measures: Days, name: DayMeasure, platform?: Platform): number[] {
  const own = platform ? [platform] : platforms
  const [first] = own
  return (first ? measures.platforms[first][name] : []).map((_, day) =>
    sum(own.map((each) => measures.platforms[each][name][day] ?? 0)),
  )
}

/** The same in as many days before. */
export function earlierOf({ earlier }: Pick<Overview, 'earlier'>, name: DayMeasure, platform?: Platform): number[] {
  return valuesOf({ platforms: earlier }, name, platform)
}

export function hasOther({ platforms: found, before }: Measures): boolean {
  return Object.values(found.other).some((values) => sum(values) > 0) || sum(Object.values(before.other)) > 0
}
