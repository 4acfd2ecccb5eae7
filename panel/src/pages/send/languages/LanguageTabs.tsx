import { Badge, Group, Stack, Tabs, Tooltip } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { countMissing } from '../draft/draft-languages.ts'
import { emptyTexts } from '../draft/draft-texts.ts'
import { useSending } from '../sending.ts'
import { AddLanguage } from './AddLanguage.tsx'

const most = 20
const plain = 'default'

/** Which language's texts the fields are of, with how complete each is. Without languages there are only the fields. */
export function LanguageTabs({ children }: { children: ReactNode }) {
  const { languages: texts } = useTexts().send
  const { draft, change, language, showLanguage } = useSending()
  const format = useFormat()
  const all = Object.keys(draft.languages)
  const add = (tag: string) => {
    change({ languages: { ...draft.languages, [tag]: emptyTexts } })
    showLanguage(tag)
  }
  const adding = all.length < most && <AddLanguage taken={all} onAdd={add} />
  if (all.length === 0) {
    return (
      <>
        <Group>{adding}</Group>
        {children}
      </>
    )
  }
  const shown = language ?? plain
  return (
    <Tabs
      value={shown}
      onChange={(tag) => showLanguage(tag === plain || tag === null ? undefined : tag)}
      variant="pills"
      keepMounted={false}
    >
      <Group gap="xs" mb="md">
        <Tabs.List aria-label={texts.label}>
          <Tabs.Tab value={plain}>{texts.plain}</Tabs.Tab>
          {all.map((tag) => (
            <Tabs.Tab
              key={tag}
              value={tag}
              rightSection={<Completeness language={tag} />}
              data-field={`contents.${tag}`}
            >
              {format.language(tag)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {adding}
      </Group>
      <Tabs.Panel value={shown}>
        <Stack>{children}</Stack>
      </Tabs.Panel>
    </Tabs>
  )
}

function Completeness({ language }: { language: string }) {
  const { languages: texts } = useTexts().send
  const { draft } = useSending()
  const format = useFormat()
  const { missing, all } = countMissing(draft, language)
  const label =
    missing === 0 ? texts.complete : missing === all ? texts.empty : texts.missing(missing, format.number(missing))
  return (
    <Tooltip label={label}>
      {missing === 0 ? (
        <IconCheck size={14} role="img" aria-label={label} />
      ) : (
        <Badge size="xs" variant="default" circle role="img" aria-label={label}>
          {format.number(missing)}
        </Badge>
      )}
    </Tooltip>
  )
}
