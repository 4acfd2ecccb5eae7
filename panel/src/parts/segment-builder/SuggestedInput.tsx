import { Autocomplete, TagsInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { useSuggestions } from './use-segment-fields.ts'

interface SuggestedInputProps {
  name: string
  value: unknown
  onChange(value: unknown): void
  isMany: boolean
}

/** A text, or several, with those that the app has so far to choose from. */
export function SuggestedInput({ name, value, onChange, isMany }: SuggestedInputProps) {
  const { segments: texts } = useTexts()
  const [search, setSearch] = useState('')
  const [isUsed, setIsUsed] = useState(false)
  const typed = isMany ? search : String(value ?? '')
  const [prefix] = useDebouncedValue(typed, 150)
  const data = useSuggestions(name, prefix, isUsed)
  const shared = {
    'aria-label': texts.value,
    data,
    onFocus: () => setIsUsed(true),
    dir: 'auto' as const,
    limit: 20,
  }
  if (!isMany) {
    return <Autocomplete {...shared} value={typed} onChange={(text) => onChange(text === '' ? undefined : text)} />
  }
  return (
    <TagsInput
      {...shared}
      value={(Array.isArray(value) ? value : []).map(String)}
      onChange={(texts) => onChange(texts.length === 0 ? undefined : texts)}
      searchValue={search}
      onSearchChange={setSearch}
      acceptValueOnBlur
    />
  )
}
