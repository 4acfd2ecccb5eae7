import { Modal, SimpleGrid, Stack, Text, UnstyledButton } from '@mantine/core'
import type { Template } from '@peyk/contract'
import { IconLayoutGrid } from '@tabler/icons-react'
import { useState } from 'react'
import { Answer } from '#parts/Answer.tsx'
import { EmptyState } from '#parts/EmptyState.tsx'
import { MoreButton } from '#parts/tables/MoreButton.tsx'
import { SearchBox } from '#parts/tables/SearchBox.tsx'
import { useStoredLine } from '#parts/tables/use-stored-line.ts'
import { useTexts } from '#texts/LanguageProvider.tsx'
import { useTemplates } from '../../templates/queries.ts'
import cards from '../../templates/TemplateCard.module.css'
import { TemplateThumbnail } from '../../templates/TemplateThumbnail.tsx'
import { TemplateValues } from '../../templates/TemplateValues.tsx'

interface ChooseTemplateProps {
  onChoose(template: Template): void
  onClose(): void
}

export function ChooseTemplate({ onChoose, onClose }: ChooseTemplateProps) {
  const { drafts: texts, templates, common } = useTexts()
  const [search, setSearch] = useState('')
  const list = useTemplates(search)
  const line = useStoredLine()
  const choose = (template: Template) => {
    onChoose(template)
    onClose()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={texts.useTemplate}
      size="xl"
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <Stack>
        <SearchBox label={templates.search} hint={templates.searchHint} value={search} onChange={setSearch} />
        <Answer of={list}>
          {({ pages }) => {
            const all = pages.flatMap(({ data }) => data)
            if (all.length === 0 && search === '')
              return <EmptyState icon={IconLayoutGrid} title={templates.none} text={templates.noneText} />
            if (all.length === 0) return <Text c="dimmed">{templates.noneFound(search)}</Text>
            return (
              <>
                <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
                  {all.map((template) => (
                    <UnstyledButton key={template.id} className={cards.card} onClick={() => choose(template)}>
                      <TemplateThumbnail message={template.message} />
                      <div className={cards.words}>
                        <Text fw={600} truncate {...line}>
                          {template.name}
                        </Text>
                        <TemplateValues values={template.values} />
                      </div>
                    </UnstyledButton>
                  ))}
                </SimpleGrid>
                <MoreButton of={list} />
              </>
            )
          }}
        </Answer>
      </Stack>
    </Modal>
  )
}
