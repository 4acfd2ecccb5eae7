import { SegmentedControl, Text } from '@mantine/core'
import type { MessageOpens } from '@peyk/contract'
import { useState } from 'react'
import { Answer } from '../../../parts/Answer.tsx'
import { TimeChart } from '../../../parts/charts/TimeChart.tsx'
import { Loading } from '../../../parts/Loading.tsx'
import { Panel } from '../../../parts/Panel.tsx'
import { useFormat, useTexts } from '../../../texts/LanguageProvider.tsx'
import { useOpens } from '../queries.ts'
import { opensOf } from './opens-of.ts'

type Unit = 'hours' | 'days'

const lengths: Record<Unit, number> = { hours: 3_600_000, days: 86_400_000 }

export function OpensPanel({ id, opened }: { id: string; opened: number }) {
  const { messages: texts } = useTexts()
  const format = useFormat()
  const opens = useOpens(id, opened)
  const [chosen, setChosen] = useState<Unit>()
  // What was opened after two days is seen by day only.
  const unit = chosen ?? ((opens.data?.days.length ?? 0) > 3 ? 'days' : 'hours')
  return (
    <Panel
      title={opens.data ? texts.whenOpened(opensOf(opens.data), format.number) : texts.opens}
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
      <Answer of={opens} loading={<Loading rows={1} height={200} />}>
        {(data) => <Chart data={data} unit={unit} />}
      </Answer>
    </Panel>
  )
}

function Chart({ data, unit }: { data: MessageOpens; unit: Unit }) {
  const { messages: texts } = useTexts()
  const format = useFormat()
  const bars = data[unit]
  if (bars.every(({ opened, acted }) => opened + acted === 0)) {
    return (
      <Text size="sm" c="dimmed">
        {opensOf(data).total === 0 ? texts.noOpens : texts.noOpensThen}
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
