import { Text } from '@mantine/core'
import type { SegmentSize } from '@peyk/contract'
import { memo } from 'react'
import { TimeChart } from '../../parts/charts/TimeChart.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'

export const SegmentSizes = memo(function SegmentSizes({ sizes }: { sizes: readonly SegmentSize[] }) {
  const { segments: texts } = useTexts()
  const format = useFormat()
  const [first, last] = [sizes[0], sizes.at(-1)]
  const title = first && last && sizes.length > 1 ? sayGrowth(first, last) : undefined
  function sayGrowth(from: SegmentSize, to: SegmentSize): string {
    const day = format.day(from.day)
    const difference = to.count - from.count
    if (difference === 0) return texts.sizeLevel(day)
    const devices = texts.devices(Math.abs(difference), format.number(Math.abs(difference)))
    return difference > 0 ? texts.sizeGrew(devices, day) : texts.sizeShrank(devices, day)
  }
  return (
    <Panel title={title ?? texts.sizeOverTime} lead={texts.sizeLead}>
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
})
