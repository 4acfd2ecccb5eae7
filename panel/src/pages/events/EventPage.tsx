import { SimpleGrid, Stack } from '@mantine/core'
import type { EventDetail, Revenue } from '@peyk/contract'
import { IconTimeline } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { ApiFault } from '../../api/call.ts'
import { Answer } from '../../parts/Answer.tsx'
import { BackLink } from '../../parts/BackLink.tsx'
import { TimeChart } from '../../parts/charts/TimeChart.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { PeriodPicker, usePeriod } from '../../parts/fields/PeriodPicker.tsx'
import { changeOf } from '../../parts/numbers/measures.ts'
import { NumberCard } from '../../parts/numbers/NumberCard.tsx'
import { sayTrend, sayTrendOf } from '../../parts/numbers/say-trend.ts'
import { PageHead } from '../../parts/PageHead.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { EventValues } from './EventValues.tsx'
import { LatestEvents } from './LatestEvents.tsx'
import { useEvent } from './queries.ts'

export function EventPage() {
  const { events: t, shell, overview } = useTexts()
  const format = useFormat()
  const { name = '' } = useParams({ strict: false })
  const [days] = usePeriod()
  const event = useEvent(name, days)
  const isUnknown = event.error instanceof ApiFault && event.error.status === 404
  return (
    <>
      <PageHead
        title={name}
        above={<BackLink to="/events">{shell.events}</BackLink>}
        lead={overview.lead(format.number(days))}
        actions={<PeriodPicker />}
      />
      {isUnknown ? (
        <Panel>
          <EmptyState icon={IconTimeline} title={t.unknown} text={t.unknownText} />
        </Panel>
      ) : (
        <Answer of={event}>
          {(data) => (
            <Stack gap="md">
              <Numbers event={data} />
              <Panel
                title={sayTrend('events', { now: data.total, before: data.before, days }, overview.trends, format)}
              >
                <TimeChart
                  label={t.byDay}
                  days={data.days}
                  earlier={data.earlier}
                  isLastOpen
                  series={[{ key: 'count', label: t.total, color: 'var(--peyk-series-1)', values: data.counts }]}
                />
              </Panel>
              {data.revenue.map((revenue) => (
                <RevenueChart key={revenue.currency} days={data.days} revenue={revenue} />
              ))}
              <EventValues event={data} />
              <LatestEvents name={name} />
            </Stack>
          )}
        </Answer>
      )}
    </>
  )
}

function RevenueChart({ days, revenue }: { days: readonly string[]; revenue: Revenue }) {
  const { events: t, overview } = useTexts()
  const format = useFormat()
  const { currency, amounts, earlier, total: now, before } = revenue
  const name = currency || overview.noCurrency
  const money = (amount: number) => format.money(amount, currency)
  const words = { what: overview.trends.revenueIn(name), nothing: overview.trends.noRevenueIn(name) }
  return (
    <Panel title={sayTrendOf(words, { now, before, days: days.length, show: money }, overview.trends, format)}>
      <TimeChart
        label={t.revenueByDay(name)}
        days={days}
        isLastOpen
        format={money}
        earlier={earlier}
        series={[{ key: currency, label: currency, color: 'var(--peyk-series-1)', values: amounts }]}
      />
    </Panel>
  )
}

function Numbers({ event: { total, before, days, revenue } }: { event: EventDetail }) {
  const { events: t, overview } = useTexts()
  const format = useFormat()
  const [first, ...others] = revenue
  return (
    <SimpleGrid cols={{ base: first ? 1 : 2, xs: first ? 3 : 2 }}>
      <NumberCard
        label={t.total}
        value={format.number(total)}
        change={changeOf({ now: total, before })}
        changeLabel={overview.against(format.number(total), format.number(before))}
      />
      <NumberCard label={t.perDay} value={format.number(Math.round((10 * total) / days.length) / 10)} />
      {first && (
        <NumberCard
          label={overview.revenue}
          value={format.money(first.total, first.currency)}
          change={changeOf({ now: first.total, before: first.before })}
          changeLabel={overview.against(
            format.money(first.total, first.currency),
            format.money(first.before, first.currency),
          )}
          note={
            others.length > 0 &&
            overview.moreCurrencies(format.list(others.map((each) => format.money(each.total, each.currency))))
          }
        />
      )}
    </SimpleGrid>
  )
}
