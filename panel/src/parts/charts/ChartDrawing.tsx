import { useFormat } from '../../texts/LanguageProvider.tsx'
import type { Plot, Plotted } from './plot.ts'
import classes from './TimeChart.module.css'

interface ChartDrawingProps extends Plotted {
  plot: Plot
  width: number
  height: number
  pointed: number | undefined
  isLastOpen: boolean
  formatDay(day: string): string
}

export function ChartDrawing(props: ChartDrawingProps) {
  const { plot, days, series, kind, earlier, width, height, pointed, isLastOpen, formatDay } = props
  const { pad, inner, ticks, stacks, step, x, y, bar, labels } = plot
  const format = useFormat()
  const isOpen = (day: number) => (isLastOpen && day === days.length - 1) || undefined
  const points = (values: readonly number[], from: number, to: number) =>
    values
      .slice(from, to)
      .map((value, index) => `${x(from + index)},${y(value)}`)
      .join(' ')
  // A line ends with the last day that is over; the way to today is dotted.
  const over = isLastOpen ? days.length - 1 : days.length
  return (
    <>
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={pad.left} x2={width - pad.right} y1={y(tick)} y2={y(tick)} className={classes.grid} />
          <text x={pad.left - 8} y={y(tick) + 4} textAnchor="end" className={classes.tick}>
            {format.compact(tick)}
          </text>
        </g>
      ))}
      {days.map(
        (day, index) =>
          index % plot.labelEvery === 0 && (
            <text key={day} x={x(index)} y={height - 6} textAnchor="middle" className={classes.tick}>
              {formatDay(day)}
            </text>
          ),
      )}
      {pointed !== undefined && (
        <rect x={x(pointed) - step / 2} y={pad.top} width={step} height={inner.height} className={classes.pointed} />
      )}
      {stacks?.pieces.map(({ series: index, day, from, to }) => (
        <rect
          key={`${index} ${day}`}
          {...bar(day, from, to, 0.7)}
          style={{ color: series[index]?.color }}
          className={classes.bar}
          data-open={isOpen(day)}
        />
      ))}
      {kind === 'nested' &&
        series.flatMap(({ key, color, values }, index) =>
          values.map((value, day) => (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: a day is its place
              key={`${key} ${day}`}
              {...bar(day, 0, value, 0.76 - index * 0.14)}
              style={{ color }}
              className={classes.bar}
              data-open={isOpen(day)}
            />
          )),
        )}
      {kind === 'lines' &&
        series.map(({ key, color, values }) => (
          <g key={key} style={{ color }} className={classes.line}>
            <polyline points={points(values, 0, over)} />
            {over < days.length && <polyline points={points(values, over - 1, days.length)} data-open />}
            {pointed !== undefined && <circle cx={x(pointed)} cy={y(values[pointed] ?? 0)} r={4} />}
          </g>
        ))}
      {earlier && (
        <g className={classes.earlier}>
          <polyline points={points(earlier, 0, days.length)} data-halo />
          <polyline points={points(earlier, 0, days.length)} />
        </g>
      )}
      {labels.map(({ key, label, color, at }) => (
        <g key={key} style={{ color }}>
          <circle cx={width - pad.right + 10} cy={at} r={4} fill="currentColor" />
          <text x={width - pad.right + 19} y={at + 4} className={classes.name}>
            {label}
          </text>
        </g>
      ))}
    </>
  )
}
