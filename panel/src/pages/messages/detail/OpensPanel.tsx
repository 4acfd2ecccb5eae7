import { SegmentedControl, Text } from '@mantine/core'
import type { MessageOpens } from '@peyk/contract'
import { useState } from 'react'
import { TimeChart } from '#parts/charts/TimeChart.tsx'
import { Panel } from '#parts/Panel.tsx'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { type Counted, opensOf } from './opens-of.ts'

type Unit = 'hours' | 'days'

const lengths: Record<Unit, number> = { hours: 3_600_000, days: 86_400_000 }

export function OpensPanel({ message }: { message: Counted }) {
  const { messages: texts } = useTexts()
  const format = useFormat()
  const opens = opensOf(message)
  const [chosen, setChosen] = useState<Unit>()
  // What was opened after two days is seen by day only.
  const unit = chosen ?? (message.opens.days.length > 3 ? 'days' : 'hours')
  return (
    <Panel
      title={texts.whenOpened(opens, format.number)}
      lead={texts.opensLead}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={texts.opens}
          data={[
            { value: 'hours', label: texts.byHour },
            { value: 'days', label: texts.byDay },
          ]}
          value={unit}
          onChange={(value) => setChosen(value as Unit)}
        />
      }
    >
      <Chart data={message.opens} unit={unit} total={opens.total} />
      {opens.undated > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          {texts.undated(opens.undated, format.number(opens.undated))}
        </Text>
      )}
    </Panel>
  )
}

function Chart({ data, unit, total }: { data: MessageOpens; unit: Unit; total: number }) {
  const { messages: texts } = useTexts()
  const format = useFormat()
  const bars = data[unit]
  if (bars.every(({ opened, acted }) => opened + acted === 0)) {
    return (
      <Text size="sm" c="dimmed">
        {total === 0 ? texts.noOpens : texts.noOpensThen}
      </Text>
    )
  }
  return (
    <TimeChart
      label={texts.opens}
      days={bars.map(({ at }) => (unit === 'days' ? new Date(at).toISOString().slice(0, 10) : String(at)))}
      formatDay={(day) => (unit === 'days' ? format.day(day) : format.clock(Number(day)))}
      height={200}
      isLastOpen={Date.now() < (bars.at(-1)?.at ?? 0) + lengths[unit]}
      series={[
        {
          key: 'opened',
          label: texts.tapped,
          color: 'var(--peyk-series-1)',
          values: bars.map(({ opened }) => opened),
        },
        {
          key: 'acted',
          label: texts.actedShort,
          color: 'var(--peyk-series-3)',
          values: bars.map(({ acted }) => acted),
        },
      ]}
    />
  )
}
