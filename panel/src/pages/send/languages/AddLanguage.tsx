import { Button, Combobox, useCombobox } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { readLanguage, usualLanguages } from './known-languages.ts'

/** A button that opens a list of languages: by their names, or by a tag that is typed. */
export function AddLanguage({ taken, onAdd }: { taken: readonly string[]; onAdd(language: string): void }) {
  const { languages: texts } = useTexts().send
  const format = useFormat()
  const [search, setSearch] = useState('')
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption()
      setSearch('')
    },
    onDropdownOpen: () => combobox.focusSearchInput(),
  })
  const typed = readLanguage(search)
  const words = search.trim().toLowerCase()
  const found = usualLanguages.filter(
    (tag) => tag.toLowerCase().startsWith(words) || format.language(tag).toLowerCase().includes(words),
  )
  const offered = [...new Set([...(typed ? [typed] : []), ...found])].filter((tag) => !taken.includes(tag))
  return (
    <Combobox
      store={combobox}
      width={280}
      position="bottom-start"
      onOptionSubmit={(tag) => {
        onAdd(tag)
        combobox.closeDropdown()
      }}
    >
      <Combobox.Target targetType="button" withExpandedAttribute>
        <Button
          variant="subtle"
          size="compact-sm"
          aria-label={texts.add}
          leftSection={<IconPlus size={14} />}
          onClick={() => combobox.toggleDropdown()}
        >
          {texts.add}
        </Button>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          placeholder={texts.search}
          aria-label={texts.search}
        />
        <Combobox.Options mah={260} style={{ overflowY: 'auto' }}>
          {offered.map((tag) => (
            <Combobox.Option key={tag} value={tag}>
              {format.language(tag)} <bdi style={{ opacity: 0.65 }}>{tag}</bdi>
            </Combobox.Option>
          ))}
          {offered.length === 0 && <Combobox.Empty>{texts.none}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
