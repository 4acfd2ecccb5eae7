import { MultiSelect, Select, TagsInput } from '@mantine/core'
import { readDigits, showDigits } from '../../texts/digits.ts'
import { useLanguage, useTexts } from '../../texts/LanguageProvider.tsx'
import { NumberField } from '../fields/NumberField.tsx'
import type { ValueForm } from './choices.ts'
import { PlatformInput } from './PlatformInput.tsx'
import { SuggestedInput } from './SuggestedInput.tsx'
import { AgoInput, DateInput } from './TimeInput.tsx'

interface ValueInputProps {
  name: string
  kind: string
  form: ValueForm
  value: unknown
  onChange(value: unknown): void
}

/** The value of a rule, typed as its kind needs it. */
export function ValueInput({ name, kind, form, value, onChange }: ValueInputProps) {
  if (form === 'ago') return <AgoInput value={value} onChange={onChange} />
  if (form === 'date') return <DateInput value={value} onChange={onChange} />
  const isMany = form === 'many'
  if (kind === 'boolean') return <BooleanInput value={value} onChange={onChange} isMany={isMany} />
  if (kind === 'number' || kind === 'date') return <NumbersInput value={value} onChange={onChange} isMany={isMany} />
  if (name === 'deviceType') return <PlatformInput value={value} onChange={onChange} isMany={isMany} />
  return <SuggestedInput key={name} name={name} value={value} onChange={onChange} isMany={isMany} />
}

interface PlainInputProps {
  value: unknown
  onChange(value: unknown): void
  isMany: boolean
}

function NumbersInput({ value, onChange, isMany }: PlainInputProps) {
  const { segments: texts } = useTexts()
  const { language } = useLanguage()
  if (!isMany) return <NumberField aria-label={texts.value} value={numberOf(value)} onChange={onChange} />
  return (
    <TagsInput
      aria-label={texts.value}
      value={(Array.isArray(value) ? value : []).map((item) => showDigits(String(item), language))}
      onChange={(items) => onChange(items.length === 0 ? undefined : items.map(readItem))}
      acceptValueOnBlur
    />
  )
}

function numberOf(value: unknown): number | undefined {
  const number = value === undefined || value === '' ? Number.NaN : Number(value)
  return Number.isFinite(number) ? number : undefined
}

/** What is no number is kept as it was typed: the service says what is wrong with it. */
function readItem(text: string): number | string {
  return numberOf(readDigits(text)) ?? text
}

function BooleanInput({ value, onChange, isMany }: PlainInputProps) {
  const { segments: texts } = useTexts()
  const data = (['true', 'false'] as const).map((word) => ({ value: word, label: texts.booleans[word] }))
  if (isMany) {
    return (
      <MultiSelect
        aria-label={texts.value}
        data={data}
        value={(Array.isArray(value) ? value : []).map(String)}
        onChange={(words) => onChange(words.length === 0 ? undefined : words.map((word) => word === 'true'))}
      />
    )
  }
  return (
    <Select
      aria-label={texts.value}
      data={data}
      value={value === undefined ? null : String(value)}
      onChange={(word) => onChange(word === null ? undefined : word === 'true')}
      allowDeselect={false}
    />
  )
}
