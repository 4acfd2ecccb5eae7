import { Select, Text } from '@mantine/core'
import type { panelSegments, SegmentRow } from '@peyk/contract'
import { useAppQuery } from '../../api/use-app-query.ts'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { useFreshSearch } from '../fields/use-fresh-search.ts'
import { SegmentSentence } from './SegmentSentence.tsx'

interface SegmentPickerProps {
  /** The id of a saved segment. */
  value: string | undefined
  onChange(id: string | undefined): void
  error?: string | undefined
  /** Its list is open at once. */
  isOpened?: boolean
}

/** Chooses one of the saved segments, and says who that is. */
export function SegmentPicker({ value, onChange, error, isOpened = false }: SegmentPickerProps) {
  const { segments: texts } = useTexts()
  const format = useFormat()
  const { data } = useAppQuery<typeof panelSegments>('/segments')
  const rows = data?.data ?? []
  const size = ({ sizes }: SegmentRow) => sizes.at(-1)?.count
  const label = (row: SegmentRow) => {
    const count = size(row)
    return count === undefined ? row.name : `${row.name} · ${texts.devices(count, format.number(count))}`
  }
  const chosen = rows.find(({ id }) => id === value)
  const { props } = useFreshSearch(chosen ? label(chosen) : '', texts.pickPlaceholder)
  return (
    <div>
      <Select
        label={texts.pick}
        data={rows.map((row) => ({ value: row.id, label: label(row) }))}
        value={chosen ? chosen.id : null}
        onChange={(id) => onChange(id ?? undefined)}
        {...props}
        clearable
        autoFocus={isOpened && value === undefined}
        nothingFoundMessage={rows.length === 0 ? texts.pickNone : texts.nothing}
        {...(error !== undefined && { error })}
      />
      {chosen && (
        <Text size="sm" c="dimmed" mt={4}>
          <SegmentSentence value={chosen.segment} />
        </Text>
      )}
    </div>
  )
}
