import { CloseButton, TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTexts } from '../../texts/LanguageProvider.tsx'

interface SearchBoxProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  label: string
  isLabelShown?: boolean
  hint: string
  /** What is searched for now, as the page's address says. */
  value: string
  onChange(value: string): void
}

/** Asks when somebody has stopped typing. */
export function SearchBox({ label, isLabelShown, hint, value, onChange, ...input }: SearchBoxProps) {
  const { common } = useTexts()
  const [typed, setTyped] = useState(value)
  const [seen, setSeen] = useState(value)
  const [asked, setAsked] = useState(value)
  if (value !== seen) {
    setSeen(value)
    // Changed from elsewhere, such as the way back; what was asked here arrives while somebody types on.
    if (value !== asked) {
      setAsked(value)
      setTyped(value)
    }
  }
  const ask = useDebouncedCallback((text: string) => {
    setAsked(text)
    onChange(text)
  }, 250)
  const type = (text: string) => {
    setTyped(text)
    ask(text.trim())
  }
  return (
    <TextInput
      {...(isLabelShown ? { label } : { 'aria-label': label })}
      placeholder={hint}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={typed !== '' && <CloseButton aria-label={common.clear} onClick={() => type('')} />}
      value={typed}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      style={{ width: 420, maxWidth: '100%' }}
      {...input}
    />
  )
}
