import { useMemo } from 'react'
import { useLanguage } from '../../texts/LanguageProvider.tsx'
import { type Day, utcOf } from './days/days.ts'

const locales = { en: 'en', fa: 'fa-IR' } as const

/** Days in the words and the calendar of the language. */
export function useDayFormat() {
  const { language } = useLanguage()
  return useMemo(() => {
    const formatOf = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(locales[language], { ...options, timeZone: 'UTC' })
    const number = formatOf({ day: 'numeric' })
    const weekday = formatOf({ weekday: 'short' })
    const month = formatOf({ month: 'long', year: 'numeric' })
    const full = formatOf({ weekday: 'long', day: 'numeric', month: 'long' })
    const range = formatOf({ day: 'numeric', month: 'long', year: 'numeric' })
    return {
      number: (day: Day) => number.format(utcOf(day)),
      weekday: (day: Day) => weekday.format(utcOf(day)),
      // In Persian, the year would come first.
      month: (day: Day) => `${partOf(month, day, 'month')} ${partOf(month, day, 'year')}`,
      full: (day: Day) => full.format(utcOf(day)),
      range: (from: Day, to: Day) => range.formatRange(utcOf(from), utcOf(to)),
    }
  }, [language])
}

function partOf(format: Intl.DateTimeFormat, day: Day, wanted: 'month' | 'year'): string {
  return format.formatToParts(utcOf(day)).find(({ type }) => type === wanted)?.value ?? ''
}
