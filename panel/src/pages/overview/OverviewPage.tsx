import { Button, SimpleGrid, Skeleton, Stack } from '@mantine/core'
import type { Overview } from '@peyk/contract'
import { IconChartHistogram } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { useApp } from '../../api/use-app.ts'
import { Answer } from '../../parts/Answer.tsx'
import { useLinkTo } from '../../parts/AppLink.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { PeriodPicker, usePeriod } from '../../parts/fields/PeriodPicker.tsx'
import { PlatformPicker, usePlatform } from '../../parts/fields/PlatformPicker.tsx'
import { hasOther, totalOf } from '../../parts/numbers/measures.ts'
import { PageHead } from '../../parts/PageHead.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { loadPage } from '../../shell/load-page.ts'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { useChecklist } from './checklist/use-checklist.ts'
import { OverviewCards } from './OverviewCards.tsx'
import { OverviewCharts } from './OverviewCharts.tsx'
import { useOverview } from './queries.ts'
import { SendingNow } from './SendingNow.tsx'
import { Warnings } from './Warnings.tsx'

/** Most apps are past their first hour, and do without it. */
const ChecklistCard = lazy(async () => {
  const { ChecklistCard } = await loadPage(() => import('./checklist/ChecklistCard.tsx'))
  return { default: ChecklistCard }
})

export function OverviewPage() {
  const { overview: t, shell } = useTexts()
  const format = useFormat()
  const [days] = usePeriod()
  const overview = useOverview(days)
  const { checklist, isKnown, close } = useChecklist()
  return (
    <>
      <PageHead
        title={shell.overview}
        lead={t.lead(format.number(days))}
        actions={
          <>
            <PlatformPicker hasOther={overview.data !== undefined && hasOther(overview.data)} />
            <PeriodPicker />
          </>
        }
      />
      <Answer of={overview} loading={<Waiting />}>
        {(data) => (
          <Stack gap="md" data-counted={data.at}>
            <Warnings warnings={data.warnings} />
            {checklist && (
              <Suspense fallback={<Skeleton height={360} radius="md" />}>
                <ChecklistCard checklist={checklist} onClose={close} />
              </Suspense>
            )}
            <SendingNow messages={data.sending} />
            {!isEmpty(data) && <Numbers overview={data} />}
            {isEmpty(data) && isKnown && !checklist && <Nobody />}
          </Stack>
        )}
      </Answer>
    </>
  )
}

function Numbers({ overview }: { overview: Overview }) {
  const [platform] = usePlatform()
  return (
    <>
      <OverviewCards overview={overview} platform={platform} />
      <OverviewCharts overview={overview} platform={platform} />
    </>
  )
}

function isEmpty(overview: Overview): boolean {
  return (['installs', 'visits', 'sent', 'uninstalls'] as const).every((name) => {
    const { now, before } = totalOf(overview, name)
    return now + before === 0
  })
}

function Nobody() {
  const { overview: t } = useTexts()
  const { may } = useApp()
  const linkTo = useLinkTo()
  return (
    <Panel>
      <EmptyState
        icon={IconChartHistogram}
        title={t.empty}
        text={t.emptyText}
        action={may('settings') && <Button renderRoot={linkTo('/settings/keys')}>{t.toKeys}</Button>}
      />
    </Panel>
  )
}

function Waiting() {
  return (
    <Stack gap="md" role="status" aria-busy="true">
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        {Array.from({ length: 8 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: all alike
          <Skeleton key={index} height={98} radius="md" />
        ))}
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        {Array.from({ length: 4 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: all alike
          <Skeleton key={index} height={320} radius="md" />
        ))}
      </SimpleGrid>
    </Stack>
  )
}
