import {
  addDays,
  type CalendarSystem,
  type Day,
  daysBetween,
  startOfMonth,
  startOfNextMonth,
  startOfWeek,
} from './days.ts'

export const views = ['month', 'week'] as const
export type View = (typeof views)[number]

export interface ShownDays {
  /** Whole weeks. */
  days: Day[]
  /** The month itself, or the week: from a day until before another. */
  from: Day
  to: Day
}

/** What a view has around a day. */
export function showDays(view: View, day: Day, system: CalendarSystem): ShownDays {
  if (view === 'week') {
    const from = startOfWeek(day, system)
    const to = addDays(from, 7)
    return { days: daysBetween(from, to), from, to }
  }
  const from = startOfMonth(day, system)
  const to = startOfNextMonth(day, system)
  const end = addDays(startOfWeek(addDays(to, -1), system), 7)
  return { days: daysBetween(startOfWeek(from, system), end), from, to }
}

/** A day of the month or week before or after. */
export function stepTo(view: View, day: Day, system: CalendarSystem, step: 1 | -1): Day {
  if (view === 'week') return addDays(day, 7 * step)
  return step === 1 ? startOfNextMonth(day, system) : startOfMonth(addDays(startOfMonth(day, system), -1), system)
}

export function weeksOf(days: readonly Day[]): Day[][] {
  return Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7))
}
