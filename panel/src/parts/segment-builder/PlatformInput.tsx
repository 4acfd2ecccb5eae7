import { MultiSelect, Select } from '@mantine/core'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { useSuggestions } from './use-segment-fields.ts'

interface PlatformInputProps {
  value: unknown
  onChange(value: unknown): void
  isMany: boolean
}

const known = ['android', 'ios', 'web'] as const

/** Platforms by the names that people use; those which only this app has stand below them as they are. */
export function PlatformInput({ value, onChange, isMany }: PlatformInputProps) {
  const { segments: texts, common } = useTexts()
  const found = useSuggestions('deviceType', '', true)
  const chosen = (Array.isArray(value) ? value : value === undefined ? [] : [value]).map(String)
  const others = [...new Set([...found, ...chosen])].filter((name) => !known.some((platform) => platform === name))
  const data = [
    ...known.map((name) => ({ value: name, label: common.platforms[name] })),
    ...others.map((name) => ({ value: name, label: name })),
  ]
  if (isMany) {
    return (
      <MultiSelect
        aria-label={texts.value}
        placeholder={chosen.length === 0 ? texts.choosePlatforms : ''}
        data={data}
        value={chosen}
        onChange={(names) => onChange(names.length === 0 ? undefined : names)}
      />
    )
  }
  return (
    <Select
      aria-label={texts.value}
      placeholder={texts.choosePlatform}
      data={data}
      value={chosen[0] ?? null}
      onChange={(name) => onChange(name ?? undefined)}
      allowDeselect={false}
    />
  )
}
