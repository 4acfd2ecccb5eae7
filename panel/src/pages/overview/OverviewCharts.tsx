import { Box, SimpleGrid } from '@mantine/core'
import type { Overview } from '@peyk/contract'
import { lazy, Suspense, useState } from 'react'
import { AppLink } from '../../parts/AppLink.tsx'
import { TimeChart } from '../../parts/charts/TimeChart.tsx'
import { seriesOf, valuesOf } from '../../parts/numbers/measures.ts'
import { Panel } from '../../parts/Panel.tsx'
import type { Platform } from '../../parts/platforms.ts'
import { loadPage } from '../../shell/load-page.ts'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'

interface ChartsProps {
  overview: Overview
  platform: Platform | undefined
}

/** Most apps take money in one currency, and do without what chooses another. */
const CurrencySelect = lazy(async () => {
  const { CurrencySelect } = await loadPage(() => import('./CurrencySelect.tsx'))
  return { default: CurrencySelect }
})

/** The first one has both columns. */
const wide = { gridColumn: '1 / -1' }

export function OverviewCharts({ overview, platform }: ChartsProps) {
  const { overview: t, common } = useTexts()
  const { days } = overview
  const shown = { days: days.length === 30 ? undefined : days.length, platform }
  const series = (name: Parameters<typeof seriesOf>[1]) => seriesOf(overview, name, common.platforms, platform)
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
      {platform ? (
        <Panel title={t.activeDevicesChart} lead={t.activeDevicesLead} style={wide}>
          <TimeChart isLastOpen label={t.activeDevicesChart} days={days} series={series('activeInstallations')} />
        </Panel>
      ) : (
        <Panel title={t.activeUsersChart} lead={t.activeLead} style={wide}>
          <TimeChart isLastOpen label={t.activeUsersChart} days={days} series={series('activeUsers')} />
        </Panel>
      )}
      <Panel title={t.messagesChart} lead={t.messagesLead}>
        <TimeChart
          isLastOpen
          label={t.messagesChart}
          days={days}
          kind="nested"
          series={messageSeries({ overview, platform }, t)}
        />
      </Panel>
      <Panel title={t.installs} lead={t.installsLead}>
        <TimeChart isLastOpen label={t.installs} days={days} series={series('installs')} />
      </Panel>
      <RevenueChart overview={overview} />
      <Panel title={t.visits} lead={t.visitsLead}>
        <TimeChart isLastOpen label={t.visits} days={days} series={series('visits')} />
      </Panel>
      <Panel
        title={t.uninstalls}
        lead={t.uninstallsLead}
        actions={
          <AppLink to="/uninstalls" size="sm" search={shown}>
            {t.details}
          </AppLink>
        }
      >
        <TimeChart isLastOpen label={t.uninstalls} days={days} series={series('uninstalls')} />
      </Panel>
      <Panel
        title={t.churn}
        lead={t.churnLead}
        actions={
          <AppLink to="/uninstalls" size="sm" search={{ ...shown, type: 'churn' }}>
            {t.details}
          </AppLink>
        }
      >
        <TimeChart isLastOpen label={t.churn} days={days} series={series('churned')} />
      </Panel>
    </SimpleGrid>
  )
}

function messageSeries({ overview, platform }: ChartsProps, t: { sent: string; delivered: string; opened: string }) {
  return (['sent', 'delivered', 'opened'] as const).map((key, index) => ({
    key,
    label: t[key],
    color: `var(--peyk-series-${[4, 1, 2][index]})`,
    values: valuesOf(overview, key, platform),
  }))
}

/** One currency at a time: they cannot be added up. */
function RevenueChart({ overview: { days, revenue } }: { overview: Overview }) {
  const { overview: t } = useTexts()
  const format = useFormat()
  const [chosen, setChosen] = useState<string | null>(null)
  const shown = revenue.find(({ currency }) => currency === chosen) ?? revenue[0]
  return (
    <Panel
      title={t.revenueChart}
      lead={t.revenueLead}
      actions={
        revenue.length > 1 && (
          <Suspense fallback={<Box w={110} h={30} />}>
            <CurrencySelect
              currencies={revenue.map(({ currency }) => currency)}
              chosen={shown?.currency ?? ''}
              onChoose={setChosen}
            />
          </Suspense>
        )
      }
    >
      <TimeChart
        isLastOpen
        label={t.revenueChart}
        days={days}
        format={(amount) => format.money(amount, shown?.currency ?? '')}
        series={[
          {
            key: 'revenue',
            label: shown?.currency || t.revenue,
            color: 'var(--peyk-series-1)',
            values: shown?.amounts ?? days.map(() => 0),
          },
        ]}
      />
    </Panel>
  )
}
