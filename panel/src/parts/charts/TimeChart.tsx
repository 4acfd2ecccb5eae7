import { Box, Group, Text, useDirection, VisuallyHidden } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { type PointerEvent, useState } from 'react'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { stack, ticksUpTo } from './scale.ts'
import classes from './TimeChart.module.css'

export interface Series {
  key: string
  label: string
  /** A CSS colour. */
  color: string
  values: readonly number[]
}

interface TimeChartProps {
  label: string
  /** Days (2026-01-31) or moments, one per value. */
  days: readonly string[]
  series: readonly Series[]
  /** Bars are stacked; nested ones stand in front of one another, each a part of the one before. */
  kind?: 'bars' | 'nested' | 'lines'
  /** The last day is not over: its numbers will grow. */
  isLastOpen?: boolean
  height?: number
  format?: (value: number) => string
  formatDay?: (day: string) => string
}

const pad = { top: 10, bottom: 24, left: 46, right: 8 }

/** Values over time with the exact numbers under the pointer, and as a table for those who do not see it. */
export function TimeChart(props: TimeChartProps) {
  const { label, days, series, kind = 'bars', height = 220, isLastOpen = false } = props
  const words = useFormat()
  const { common, overview } = useTexts()
  const { dir } = useDirection()
  const format = props.format ?? words.number
  const formatDay = props.formatDay ?? words.day
  const { ref, width } = useElementSize<HTMLDivElement>()
  const [pointed, setPointed] = useState<number>()

  const inner = { width: Math.max(0, width - pad.left - pad.right), height: height - pad.top - pad.bottom }
  const stacks = kind === 'bars' ? stack(series, days.length) : undefined
  const ticks = ticksUpTo(Math.max(0, ...(stacks?.totals ?? series.flatMap(({ values }) => values))))
  const top = ticks.at(-1) as number
  const step = inner.width / Math.max(1, days.length)
  const x = (index: number) => pad.left + step * (index + 0.5)
  const y = (value: number) => pad.top + inner.height * (1 - value / top)
  const bar = (day: number, from: number, to: number, share: number) => ({
    x: x(day) - (step * share) / 2,
    width: Math.max(1, step * share),
    y: y(to),
    height: Math.max(0, y(from) - y(to)),
    rx: Math.min(2, step / 6),
  })
  const labelEvery = Math.max(1, Math.ceil(days.length / Math.max(1, Math.floor(inner.width / 80))))
  const point = (event: PointerEvent<SVGElement>) => {
    const at = event.clientX - event.currentTarget.getBoundingClientRect().left - pad.left
    const index = Math.floor(at / step)
    setPointed(index >= 0 && index < days.length ? index : undefined)
  }

  return (
    <Box component="figure" m={0} className={classes.figure} dir="ltr">
      <div ref={ref} className={classes.canvas} style={{ blockSize: height }}>
        {width > 0 && (
          <svg
            width={width}
            height={height}
            onPointerMove={point}
            onPointerDown={point}
            onPointerLeave={() => setPointed(undefined)}
            aria-hidden="true"
          >
            {ticks.map((tick) => (
              <g key={tick}>
                <line x1={pad.left} x2={width - pad.right} y1={y(tick)} y2={y(tick)} className={classes.grid} />
                <text x={pad.left - 8} y={y(tick) + 4} textAnchor="end" className={classes.tick}>
                  {words.compact(tick)}
                </text>
              </g>
            ))}
            {days.map(
              (day, index) =>
                index % labelEvery === 0 && (
                  <text key={day} x={x(index)} y={height - 6} textAnchor="middle" className={classes.tick}>
                    {formatDay(day)}
                  </text>
                ),
            )}
            {pointed !== undefined && (
              <rect
                x={x(pointed) - step / 2}
                y={pad.top}
                width={step}
                height={inner.height}
                className={classes.pointed}
              />
            )}
            {stacks?.pieces.map(({ series: index, day, from, to }) => (
              <rect
                key={`${index} ${day}`}
                {...bar(day, from, to, 0.7)}
                fill={series[index]?.color}
                className={classes.bar}
                data-open={(isLastOpen && day === days.length - 1) || undefined}
              />
            ))}
            {kind === 'nested' &&
              series.flatMap(({ key, color, values }, index) =>
                values.map((value, day) => (
                  <rect
                    // biome-ignore lint/suspicious/noArrayIndexKey: a day is its place
                    key={`${key} ${day}`}
                    {...bar(day, 0, value, 0.76 - index * 0.14)}
                    fill={color}
                    className={classes.bar}
                    data-open={(isLastOpen && day === days.length - 1) || undefined}
                  />
                )),
              )}
            {kind === 'lines' &&
              series.map(({ key, color, values }) => (
                <g key={key}>
                  <polyline
                    points={values.map((value, index) => `${x(index)},${y(value)}`).join(' ')}
                    fill="none"
                    stroke={color}
                    strokeWidth={2}
                    strokeLinejoin="round"
                  />
                  {pointed !== undefined && <circle cx={x(pointed)} cy={y(values[pointed] ?? 0)} r={4} fill={color} />}
                </g>
              ))}
          </svg>
        )}
        {pointed !== undefined && (
          <div
            className={classes.tip}
            dir={dir}
            style={{ left: x(pointed) > width / 2 ? x(pointed) - 12 : x(pointed) + 12 }}
            data-flip={x(pointed) > width / 2 || undefined}
          >
            <Text size="xs" fw={650}>
              {formatDay(days[pointed] as string)}
              {isLastOpen && pointed === days.length - 1 && ` · ${overview.soFar}`}
            </Text>
            {series.map(({ key, label: name, color, values }) => (
              <Group key={key} gap={6} wrap="nowrap" justify="space-between">
                <Group gap={6} wrap="nowrap">
                  <span className={classes.dot} style={{ background: color }} />
                  <Text size="xs">{name}</Text>
                </Group>
                <Text size="xs" fw={600} className={classes.value}>
                  {format(values[pointed] ?? 0)}
                </Text>
              </Group>
            ))}
            {stacks && series.length > 1 && (
              <Group gap={6} justify="space-between" className={classes.sum}>
                <Text size="xs">{common.total}</Text>
                <Text size="xs" fw={650} className={classes.value}>
                  {format(stacks.totals[pointed] ?? 0)}
                </Text>
              </Group>
            )}
          </div>
        )}
      </div>
      {series.length > 1 && (
        <Group gap="md" mt={4} ps={pad.left} aria-hidden="true">
          {series.map(({ key, label: name, color }) => (
            <Group key={key} gap={6} wrap="nowrap">
              <span className={classes.dot} style={{ background: color }} />
              <Text size="xs" c="dimmed">
                {name}
              </Text>
            </Group>
          ))}
        </Group>
      )}
      <VisuallyHidden>
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">{common.day}</th>
              {series.map(({ key, label: name }) => (
                <th key={key} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((day, index) => (
              <tr key={day}>
                <th scope="row">{formatDay(day)}</th>
                {series.map(({ key, values }) => (
                  <td key={key}>{format(values[index] ?? 0)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </Box>
  )
}
