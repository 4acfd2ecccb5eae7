import { Group, Input, NativeSelect, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '#texts/LanguageProvider.tsx'
import type { Span, Unit } from '../draft/span.ts'
import { useSending } from '../sending.ts'

interface SpanInputProps {
  field: string
  label: string
  hint?: ReactNode
  value: Span
  onChange(value: Span): void
}

/** A length of time: an amount and a unit. */
export function SpanInput({ field, label, hint, value, onChange }: SpanInputProps) {
  const { units, unitOf } = useTexts().send
  const fault = useSending().faultOf(field)
  return (
    <Input.Wrapper
      label={label}
      description={hint}
      error={fault}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      labelElement="div"
    >
      <Group gap="xs" wrap="nowrap" mb={hint === undefined ? 0 : 5}>
        <TextInput
          aria-label={label}
          inputMode="decimal"
          value={value.amount}
          onChange={(event) => onChange({ ...value, amount: event.currentTarget.value })}
          error={fault !== undefined}
          style={{ flex: 1 }}
          data-field={field}
        />
        <NativeSelect
          aria-label={unitOf(label)}
          value={value.unit}
          onChange={(event) => onChange({ ...value, unit: event.currentTarget.value as Unit })}
          data={Object.entries(units).map(([unit, name]) => ({ value: unit, label: name }))}
        />
      </Group>
    </Input.Wrapper>
  )
}
