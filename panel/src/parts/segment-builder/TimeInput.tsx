import { Group, Select } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { MomentField } from '../fields/MomentField.tsx'
import { NumberField } from '../fields/NumberField.tsx'
import { type HourUnit, hourUnits, readHours, writeHours } from './hours.ts'

interface TimeInputProps {
  value: unknown
  onChange(value: unknown): void
}

/** So long ago: a number and a unit, "6h" on the wire. */
export function AgoInput({ value, onChange }: TimeInputProps) {
  const { segments: texts } = useTexts()
  const read = readHours(value)
  // 24 hours stay 24 hours while somebody types 240.
  const [unit, setUnit] = useState<HourUnit>(read?.unit ?? 'days')
  const amount = read ? Number.parseFloat(String(value)) / Number.parseFloat(writeHours(1, unit)) : undefined
  const change = (number: number | undefined, of: HourUnit) =>
    onChange(number === undefined ? undefined : writeHours(number, of))
  return (
    <Group gap="xs" wrap="nowrap">
      <NumberField
        aria-label={texts.amount}
        value={amount === undefined ? undefined : Number(amount.toFixed(4))}
        onChange={(number) => change(number, unit)}
        min={0}
        max={876_000}
        style={{ flex: 1, minInlineSize: 72 }}
      />
      <Select
        aria-label={texts.unit}
        data={hourUnits.map((name) => ({ value: name, label: texts.units[name] }))}
        value={unit}
        onChange={(chosen) => {
          if (chosen === null) return
          setUnit(chosen as HourUnit)
          change(amount, chosen as HourUnit)
        }}
        allowDeselect={false}
        w={104}
      />
    </Group>
  )
}

/** A moment, ISO 8601 on the wire. */
export function DateInput({ value, onChange }: TimeInputProps) {
  const { segments: texts } = useTexts()
  return <MomentField aria-label={texts.value} value={value} onChange={onChange} />
}
