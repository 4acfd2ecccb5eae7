import { Stack } from '@mantine/core'
import { Answer } from '#parts/Answer.tsx'
import { DocsLink } from '#parts/DocsLink.tsx'
import { Panel } from '#parts/Panel.tsx'
import { useTexts } from '#texts/LanguageProvider.tsx'
import { useCategories, useOwnApp } from '../queries.ts'
import { SectionHead } from '../SectionHead.tsx'
import { CategoriesPanel } from './CategoriesPanel.tsx'
import { LimitsForm } from './LimitsForm.tsx'

export function RulesSection() {
  const { rules } = useTexts()
  const app = useOwnApp()
  const categories = useCategories()
  return (
    <Stack>
      <SectionHead
        title={rules.title}
        lead={
          <>
            {rules.lead} <DocsLink place="categories" />
          </>
        }
      />
      <Answer of={categories}>{({ data }) => <CategoriesPanel categories={data} />}</Answer>
      <Panel title={rules.limits} lead={rules.limitsLead}>
        <Answer of={app}>
          {(found) => <LimitsForm key={found.appId} app={found} categories={categories.data?.data ?? []} />}
        </Answer>
      </Panel>
    </Stack>
  )
}
