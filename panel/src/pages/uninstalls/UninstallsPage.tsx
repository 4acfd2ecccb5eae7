import { Alert, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core'
import type { Overview } from '@peyk/contract'
import { IconInfoCircle } from '@tabler/icons-react'
import { Answer } from '../../parts/Answer.tsx'
import { TimeChart } from '../../parts/charts/TimeChart.tsx'
import { PeriodPicker, usePeriod } from '../../parts/fields/PeriodPicker.tsx'
import { PlatformPicker, usePlatform } from '../../parts/fields/PlatformPicker.tsx'
import { usePageSearch } from '../../parts/hooks/use-page-search.ts'
import { changeOf, earlierOf, hasOther, seriesOf, totalOf } from '../../parts/numbers/measures.ts'
import { NumberCard } from '../../parts/numbers/NumberCard.tsx'
import { sayTrend } from '../../parts/numbers/say-trend.ts'
import { PageHead } from '../../parts/PageHead.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { useMeasures } from './queries.ts'
import { UninstallList } from './UninstallList.tsx'

export function UninstallsPage() {
  const { uninstalls: t, shell, overview } = useTexts()
  const format = useFormat()
  const [days] = usePeriod()
  const [platform] = usePlatform()
  const [search, change] = usePageSearch()
  const isChurn = search.type === 'churn'
  const measures = useMeasures(days)
  const measure = isChurn ? 'churned' : 'uninstalls'
  const title = (data: Overview) =>
    sayTrend(measure, { ...totalOf(data, measure, platform), days }, overview.trends, format)
  return (
    <>
      <PageHead
        title={shell.uninstalls}
        lead={t.lead}
        actions={
          <>
            <PlatformPicker hasOther={measures.data !== undefined && hasOther(measures.data)} />
            <PeriodPicker />
          </>
        }
      />
      <Stack gap="md">
        <Answer of={measures}>{(data) => <Numbers overview={data} />}</Answer>
        <Panel
          title={measures.data ? title(measures.data) : isChurn ? t.churnChart : t.chart}
          lead={t.chartLead}
          actions={
            <SegmentedControl
              role="radiogroup"
              size="xs"
              aria-label={t.what}
              value={isChurn ? 'churn' : 'all'}
              onChange={(value) => change({ type: value === 'churn' ? 'churn' : undefined })}
              data={[
                { value: 'all', label: t.all },
                { value: 'churn', label: t.onlyChurn },
              ]}
            />
          }
        >
          <Answer of={measures}>{(data) => <Chart overview={data} isChurn={isChurn} />}</Answer>
        </Panel>
        {(platform === undefined || platform === 'ios') && (
          <Alert variant="light" color="blue" icon={<IconInfoCircle />} title={t.estimate}>
            <Text size="sm">{t.estimateText}</Text>
          </Alert>
        )}
        <UninstallList filter={{ days, platform, type: isChurn ? 'churn' : undefined }} />
      </Stack>
    </>
  )
}

function Numbers({ overview }: { overview: Overview }) {
  const { uninstalls: t, overview: words } = useTexts()
  const format = useFormat()
  const [platform] = usePlatform()
  const uninstalls = totalOf(overview, 'uninstalls', platform)
  const churned = totalOf(overview, 'churned', platform)
  const installs = totalOf(overview, 'installs', platform)
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }}>
      <NumberCard
        label={t.uninstalls}
        value={format.number(uninstalls.now)}
        change={changeOf(uninstalls)}
        changeLabel={words.against(format.number(uninstalls.now), format.number(uninstalls.before))}
        isBad
      />
      <NumberCard
        label={t.churned}
        value={format.number(churned.now)}
        change={changeOf(churned)}
        changeLabel={words.against(format.number(churned.now), format.number(churned.before))}
        isBad
        note={t.churnedNote}
      />
      <NumberCard
        label={t.rate}
        value={installs.now === 0 ? '–' : format.number(Math.round((1000 * uninstalls.now) / installs.now) / 10)}
        note={t.rateNote}
      />
    </SimpleGrid>
  )
}

function Chart({ overview, isChurn }: { overview: Overview; isChurn: boolean }) {
  const { uninstalls: t, common } = useTexts()
  const [platform] = usePlatform()
  const measure = isChurn ? 'churned' : 'uninstalls'
  const names = { ...common.platforms, ios: `${common.platforms.ios} (${t.about})` }
  return (
    <TimeChart
      label={isChurn ? t.churnChart : t.chart}
      days={overview.days}
      isLastOpen
      series={seriesOf(overview, measure, names, platform)}
      earlier={earlierOf(overview, measure, platform)}
    />
  )
}
