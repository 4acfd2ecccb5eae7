import { SegmentedControl } from '@mantine/core'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { usePageSearch } from '../hooks/use-page-search.ts'

export type PeriodDays = 7 | 30 | 90

/** How many days the page looks at: part of its address, so that it can be sent to somebody. */
export function usePeriod(): [PeriodDays, (days: PeriodDays) => void] {
  const [search, change] = usePageSearch()
  const days: PeriodDays = search.days === '7' ? 7 : search.days === '90' ? 90 : 30
  return [days, (next) => change({ days: next === 30 ? undefined : String(next) })]
}

export function PeriodPicker() {
  const { overview } = useTexts()
  const [days, setDays] = usePeriod()
  return (
    <SegmentedControl
      role="radiogroup"
      aria-label={overview.period}
      value={String(days)}
      onChange={(value) => setDays(Number(value) as PeriodDays)}
      data={([7, 30, 90] as const).map((count) => ({ value: String(count), label: overview.periods[count] }))}
    />
  )
}
