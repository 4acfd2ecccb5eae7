import { useTexts } from '../../texts/LanguageProvider.tsx'
import type { Plotted } from './plot.ts'
import classes from './TimeChart.module.css'

interface ChartTableProps extends Plotted {
  label: string
  format(value: number): string
  formatDay(day: string): string
}

/** The numbers behind a chart. */
export function ChartTable({ label, days, series, earlier, earlierName, format, formatDay }: ChartTableProps) {
  const { common, overview } = useTexts()
  return (
    <table className={classes.table}>
      <caption>{label}</caption>
      <thead>
        <tr>
          <th scope="col">{common.day}</th>
          {series.map(({ key, label: name }) => (
            <th key={key} scope="col">
              {name}
            </th>
          ))}
          {earlier && <th scope="col">{overview.earlier(earlierName)}</th>}
        </tr>
      </thead>
      <tbody>
        {days.map((day, index) => (
          <tr key={day}>
            <th scope="row">{formatDay(day)}</th>
            {series.map(({ key, values }) => (
              <td key={key}>{format(values[index] ?? 0)}</td>
            ))}
            {earlier && <td>{format(earlier[index] ?? 0)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
