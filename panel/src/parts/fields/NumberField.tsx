import { Text, TextInput, type TextInputProps } from '@mantine/core'
import { type ChangeEvent, type KeyboardEvent, useState } from 'react'
import { readDigits, showDigits } from '../../texts/digits.ts'
import { useLanguage } from '../../texts/LanguageProvider.tsx'

interface NumberFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'min' | 'max' | 'type'> {
  /** Undefined while nothing is typed that is a number. */
  value: number | undefined
  onChange(value: number | undefined): void
  min?: number
  max?: number
  isWhole?: boolean
  /** What it counts. */
  unit?: string
}

/** A number, typed and shown in the digits of the language; plain ones are taken too. */
export function NumberField({ value, onChange, min, max, isWhole = false, unit, ...input }: NumberFieldProps) {
  const { language } = useLanguage()
  const [typed, setTyped] = useState(() => write(value))
  const [seen, setSeen] = useState(value)
  if (!Object.is(value, seen)) {
    setSeen(value)
    // Changed from elsewhere: what is being typed stays as it is, such as "1." for 1.
    if (value !== read(typed)) setTyped(write(value))
  }
  const change = (plain: string) => {
    setTyped(plain)
    onChange(read(plain))
  }
  const type = ({ currentTarget: field }: ChangeEvent<HTMLInputElement>) => {
    const plain = readDigits(field.value)
    const mayBe =
      plain !== undefined &&
      !(isWhole && plain.includes('.')) &&
      !(min !== undefined && min >= 0 && plain.startsWith('-'))
    const next = mayBe ? plain : typed
    const caret = (field.selectionStart ?? next.length) - (field.value.length - next.length)
    // Written here already, so that the caret stays where it is.
    field.value = showDigits(next, language)
    field.setSelectionRange(caret, caret)
    if (next !== typed) change(next)
  }
  const within = (number: number) =>
    Math.min(max ?? Number.POSITIVE_INFINITY, Math.max(min ?? Number.NEGATIVE_INFINITY, number))
  const step = (event: KeyboardEvent) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    change(write(within((value ?? 0) + by)))
  }
  const settle = () => {
    const settled = value === undefined ? undefined : within(value)
    setTyped(write(settled))
    if (settled !== value) onChange(settled)
  }
  return (
    <TextInput
      {...input}
      inputMode={isWhole ? 'numeric' : 'decimal'}
      autoComplete="off"
      value={showDigits(typed, language)}
      onChange={type}
      onKeyDown={step}
      onBlur={settle}
      {...(unit !== undefined && {
        rightSection: (
          <Text size="sm" c="dimmed">
            {unit}
          </Text>
        ),
        rightSectionWidth: 56,
        rightSectionPointerEvents: 'none',
      })}
    />
  )
}

function read(plain: string): number | undefined {
  return /\d/.test(plain) ? Number(plain) : undefined
}

function write(value: number | undefined): string {
  return value?.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 }) ?? ''
}
