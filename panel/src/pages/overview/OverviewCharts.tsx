import { Box, SimpleGrid } from '@mantine/core'
import type { DayMeasure, Overview } from '@peyk/contract'
import { lazy, Suspense, useState } from 'react'
import { AppLink } from '../../parts/AppLink.tsx'
import { TimeChart } from '../../parts/charts/TimeChart.tsx'
import { averageOf, earlierOf, seriesOf, totalOf, valuesOf } from '../../parts/numbers/measures.ts'
import { sayTrend } from '../../parts/numbers/say-trend.ts'
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
  const chart = (name: keyof typeof t.trends.what & DayMeasure) => ({
    isLastOpen: true,
    label: t.trends.what[name],
    days,
    series: seriesOf(overview, name, common.platforms, platform),
    earlier: earlierOf(overview, name, platform),
  })
  const details = (search: object) => (
    <AppLink to="/uninstalls" size="sm" search={{ ...shown, ...search }}>
      {t.details}
    </AppLink>
  )
  const title = useTitle({ overview, platform })
  const active = platform ? 'activeInstallations' : 'activeUsers'
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
      <Panel title={title(active)} lead={platform ? t.activeDevicesLead : t.activeLead} style={wide}>
        <TimeChart {...chart(active)} />
      </Panel>
      <Panel title={title('opened')} lead={t.messagesLead}>
        <TimeChart
          {...chart('opened')}
          label={t.messagesChart}
          kind="nested"
          earlierName={t.opened}
          series={messageSeries({ overview, platform }, t)}
        />
      </Panel>
      <Panel title={title('installs')} lead={t.installsLead}>
        <TimeChart {...chart('installs')} />
      </Panel>
      <RevenueChart overview={overview} />
      <Panel title={title('visits')} lead={t.visitsLead}>
        <TimeChart {...chart('visits')} />
      </Panel>
      <Panel title={title('uninstalls')} lead={t.uninstallsLead} actions={details({})}>
        <TimeChart {...chart('uninstalls')} />
      </Panel>
      <Panel title={title('churned')} lead={t.churnLead} actions={details({ type: 'churn' })}>
        <TimeChart {...chart('churned')} />
      </Panel>
    </SimpleGrid>
  )
}

/** What the chart of a measure answers. */
function useTitle({ overview, platform }: ChartsProps) {
  const { overview: t } = useTexts()
  const format = useFormat()
  return (name: keyof typeof t.trends.what & DayMeasure) => {
    const isDaily = name === 'activeUsers' || name === 'activeInstallations'
    const compared = isDaily ? averageOf(overview, name, platform) : totalOf(overview, name, platform)
    const show = (value: number) => format.number(Math.round(value * 10) / 10)
    const today = isDaily ? { today: valuesOf(overview, name, platform).at(-1) ?? 0 } : {}
    return sayTrend(name, { ...compared, ...today, days: overview.days.length, show }, t.trends, format)
  }
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
  const money = (amount: number) => format.money(amount, shown?.currency ?? '')
  const compared = { now: shown?.total ?? 0, before: shown?.before ?? 0, days: days.length, show: money }
  return (
    <Panel
      title={sayTrend('revenue', compared, t.trends, format)}
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
        format={money}
        earlier={shown?.earlier}
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
