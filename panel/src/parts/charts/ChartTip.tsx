import { Group, Text, useDirection } from '@mantine/core'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import type { Plot, Plotted } from './plot.ts'
import classes from './TimeChart.module.css'

interface ChartTipProps extends Plotted {
  plot: Plot
  width: number
  pointed: number
  isOpen: boolean
  format(value: number): string
  formatDay(day: string): string
}

/** The exact numbers of one day. */
export function ChartTip({
  plot,
  days,
  series,
  earlier,
  earlierName,
  width,
  pointed,
  isOpen,
  format,
  formatDay,
}: ChartTipProps) {
  const { common, overview } = useTexts()
  const { dir } = useDirection()
  const at = plot.x(pointed)
  const isRight = at > width / 2
  return (
    <div
      className={classes.tip}
      dir={dir}
      role="status"
      style={{ left: isRight ? at - 12 : at + 12 }}
      data-flip={isRight || undefined}
    >
      <Text size="xs" fw={650}>
        {formatDay(days[pointed] as string)}
        {isOpen && ` · ${overview.soFar}`}
      </Text>
      {series.map(({ key, label, color, values }) => (
        <Line key={key} name={label} color={color} value={format(values[pointed] ?? 0)} />
      ))}
      {plot.stacks && series.length > 1 && (
        <div className={classes.sum}>
          <Line name={common.total} value={format(plot.stacks.totals[pointed] ?? 0)} />
        </div>
      )}
      {earlier && <Line name={overview.earlier(earlierName)} isEarlier value={format(earlier[pointed] ?? 0)} />}
    </div>
  )
}

interface LineProps {
  name: string
  value: string
  color?: string
  isEarlier?: boolean
}

function Line({ name, value, color, isEarlier = false }: LineProps) {
  return (
    <Group gap={12} wrap="nowrap" justify="space-between">
      <Group gap={6} wrap="nowrap">
        {color !== undefined && <span className={classes.dot} style={{ background: color }} />}
        {isEarlier && <span className={classes.dash} />}
        <Text size="xs" {...(isEarlier && { c: 'dimmed' })}>
          {name}
        </Text>
      </Group>
      <Text size="xs" fw={600} className={classes.value}>
        {value}
      </Text>
    </Group>
  )
}
