import { Text } from '@mantine/core'
import type { SegmentSize } from '@peyk/contract'
import { TimeChart } from '../../parts/charts/TimeChart.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'

export function SegmentSizes({ sizes }: { sizes: readonly SegmentSize[] }) {
  const { segments: texts } = useTexts()
  const format = useFormat()
  return (
    <Panel title={texts.sizeOverTime} lead={texts.sizeLead}>
      {sizes.length < 2 ? (
        <Text size="sm" c="dimmed">
          {texts.sizeSoon}
        </Text>
      ) : (
        <TimeChart
          label={texts.sizeOverTime}
          days={sizes.map(({ day }) => day)}
          series={[
            {
              key: 'size',
              label: texts.size,
              color: 'var(--peyk-series-1)',
              values: sizes.map(({ count }) => count),
            },
          ]}
          kind="lines"
          height={180}
          format={(count) => texts.devices(count, format.number(count))}
        />
      )}
    </Panel>
  )
}
