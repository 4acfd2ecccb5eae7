import { ActionIcon, Box, Group, ScrollArea, Text, Tooltip, useDirection, VisuallyHidden } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { IconChartBar, IconTable } from '@tabler/icons-react'
import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { ChartDrawing } from './ChartDrawing.tsx'
import { ChartTable } from './ChartTable.tsx'
import { ChartTip } from './ChartTip.tsx'
import { type ChartKind, plot, type Series } from './plot.ts'
import classes from './TimeChart.module.css'

interface TimeChartProps {
  label: string
  /** Days (2026-01-31) or moments, one per value. */
  days: readonly string[]
  series: readonly Series[]
  kind?: ChartKind
  /** The days before, drawn as a thin line: where they are compared. */
  earlier?: readonly number[] | undefined
  earlierName?: string
  /** The last day is not over: its numbers will grow. */
  isLastOpen?: boolean
  height?: number
  format?: (value: number) => string
  formatDay?: (day: string) => string
}

/** Values over time with the exact numbers under the pointer or the arrow keys, and as a table. */
export function TimeChart(props: TimeChartProps) {
  const { label, days, series, kind = 'bars', height = 220, isLastOpen = false } = props
  const earlier = props.earlier?.some((value) => value !== 0) ? props.earlier : undefined
  const words = useFormat()
  const { overview } = useTexts()
  const format = props.format ?? words.number
  const formatDay = props.formatDay ?? words.day
  const { ref, width } = useElementSize<HTMLDivElement>()
  const { dir } = useDirection()
  const [isTable, setIsTable] = useState(false)
  const [pointed, setPointed] = useState<number>()
  const plotted = { days, series, kind, earlier, earlierName: props.earlierName }
  const chart = plot(plotted, width, height)
  const point = (event: PointerEvent<SVGElement>) =>
    setPointed(chart.dayAt(event.clientX - event.currentTarget.getBoundingClientRect().left))
  const last = days.length - 1
  const move = (event: KeyboardEvent) => {
    const next = moveTo(event.key, pointed, last)
    if (next === undefined && event.key !== 'Escape') return
    event.preventDefault()
    setPointed(next)
  }
  const shared = { ...plotted, plot: chart, width, formatDay }
  const switchLabel = isTable ? overview.asChart : overview.asTable
  return (
    <Box component="figure" m={0} className={classes.figure}>
      <div className={classes.canvas} dir="ltr">
        {isTable ? (
          <ScrollArea.Autosize mah={height} dir={dir} viewportProps={{ tabIndex: 0 }}>
            <ChartTable {...plotted} label={label} format={format} formatDay={formatDay} />
          </ScrollArea.Autosize>
        ) : (
          <div
            ref={ref}
            style={{ blockSize: height }}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move through its points
            tabIndex={0}
            role="img"
            aria-label={`${label}. ${overview.chartKeys}`}
            onKeyDown={move}
            onBlur={() => setPointed(undefined)}
          >
            {width > 0 && (
              <svg
                width={width}
                height={height}
                onPointerMove={point}
                onPointerDown={point}
                onPointerLeave={() => setPointed(undefined)}
                aria-hidden="true"
              >
                <ChartDrawing {...shared} height={height} pointed={pointed} isLastOpen={isLastOpen} />
              </svg>
            )}
          </div>
        )}
        {!isTable && pointed !== undefined && (
          <ChartTip {...shared} pointed={pointed} isOpen={isLastOpen && pointed === last} format={format} />
        )}
      </div>
      <Group gap="md" mt={4} wrap="nowrap" align="flex-start" className={classes.foot}>
        <Group gap="md" flex={1} style={{ rowGap: 4 }}>
          {!isTable && chart.labels.length === 0 && series.length > 1 && <Names series={series} />}
          {!isTable && earlier && (
            <Group gap={6} wrap="nowrap" aria-hidden="true">
              <span className={classes.dash} />
              <Text size="xs" c="dimmed">
                {overview.earlierDays(words.number(days.length), props.earlierName)}
              </Text>
            </Group>
          )}
        </Group>
        <Tooltip label={switchLabel}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={`${label}: ${switchLabel}`}
            onClick={() => setIsTable(!isTable)}
          >
            {isTable ? <IconChartBar size={15} aria-hidden /> : <IconTable size={15} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      </Group>
      {!isTable && (
        <VisuallyHidden>
          <ChartTable {...plotted} label={label} format={format} formatDay={formatDay} />
        </VisuallyHidden>
      )}
    </Box>
  )
}

/** Where there is no room for them beside the bars. */
function Names({ series }: { series: readonly Series[] }) {
  return series.map(({ key, label, color }) => (
    <Group key={key} gap={6} wrap="nowrap" aria-hidden="true">
      <span className={classes.dot} style={{ background: color }} />
      <Text size="xs" c="dimmed">
        {label}
      </Text>
    </Group>
  ))
}

function moveTo(key: string, from: number | undefined, last: number): number | undefined {
  if (key === 'ArrowLeft') return Math.max(0, (from ?? last + 1) - 1)
  if (key === 'ArrowRight') return Math.min(last, (from ?? last - 1) + 1)
  if (key === 'Home') return 0
  return key === 'End' ? last : undefined
}
