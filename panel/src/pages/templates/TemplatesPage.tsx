import { Button, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconLayoutGrid, IconPlus } from '@tabler/icons-react'
import { useApp } from '../../api/use-app.ts'
import { Answer } from '../../parts/Answer.tsx'
import { useLinkTo } from '../../parts/AppLink.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { usePageSearch } from '../../parts/hooks/use-page-search.ts'
import { PageHead } from '../../parts/PageHead.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { MoreButton } from '../../parts/tables/MoreButton.tsx'
import { SearchBox } from '../../parts/tables/SearchBox.tsx'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { useTemplates } from './queries.ts'
import { TemplateCard } from './TemplateCard.tsx'

export function TemplatesPage() {
  const { templates: texts, shell } = useTexts()
  const { may } = useApp()
  const linkTo = useLinkTo()
  const [{ search = '' }, change] = usePageSearch()
  const list = useTemplates(search)
  const compose = may('edit-campaigns') && (
    <Button leftSection={<IconPlus size={16} />} renderRoot={linkTo('/send', { new: 'yes' })}>
      {texts.compose}
    </Button>
  )
  return (
    <>
      <PageHead title={shell.templates} lead={texts.lead} actions={compose} />
      <Answer of={list}>
        {({ pages }) => {
          const all = pages.flatMap(({ data }) => data)
          if (all.length === 0 && search === '') {
            return (
              <Panel>
                <EmptyState icon={IconLayoutGrid} title={texts.none} text={texts.noneText} />
              </Panel>
            )
          }
          return (
            <Stack>
              <SearchBox
                label={texts.search}
                hint={texts.searchHint}
                value={search}
                onChange={(text) => change({ search: text || undefined })}
              />
              {all.length === 0 && <Text c="dimmed">{texts.noneFound(search)}</Text>}
              <SimpleGrid cols={{ base: 1, xs: 2, md: 3, xl: 4 }}>
                {all.map((template) => (
                  <TemplateCard key={template.id} template={template} />
                ))}
              </SimpleGrid>
              <MoreButton of={list} />
            </Stack>
          )
        }}
      </Answer>
    </>
  )
}
