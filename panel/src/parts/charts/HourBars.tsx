import { Group, Text, VisuallyHidden } from '@mantine/core'
import type { HourCount } from '@peyk/contract'
import type { CSSProperties } from 'react'
import { useFormat } from '../../texts/LanguageProvider.tsx'
import classes from './HourBars.module.css'

const hourMs = 3_600_000
/** More bars leave no room for their numbers. */
const mostNumbers = 16

/** The count of each hour, from the first to the last. The axis is as wide as the bars. */
export function HourBars({ hours, label }: { hours: readonly HourCount[]; label: string }) {
  const format = useFormat()
  const [first, last] = [hours[0], hours.at(-1)]
  if (!first || !last) return null
  const counts = new Map(hours.map(({ at, count }) => [at, count]))
  const all = Array.from({ length: (last.at - first.at) / hourMs + 1 }, (_, index) => first.at + index * hourMs)
  const most = Math.max(...hours.map(({ count }) => count))
  const hasNumbers = all.length <= mostNumbers
  const say = (at: number) => `${format.moment(at)}: ${format.number(counts.get(at) ?? 0)}`
  return (
    <div dir="ltr" className={classes.chart} style={{ '--hours': all.length } as CSSProperties}>
      <ol className={classes.bars} aria-label={label}>
        {all.map((at) => (
          <li key={at} className={classes.hour} title={say(at)}>
            {hasNumbers && counts.has(at) && (
              <span className={classes.number} aria-hidden>
                {format.number(counts.get(at) ?? 0)}
              </span>
            )}
            <div className={classes.bar} style={{ blockSize: `${((counts.get(at) ?? 0) / most) * 80}%` }} />
            {counts.has(at) && <VisuallyHidden>{say(at)}</VisuallyHidden>}
          </li>
        ))}
      </ol>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="xs" c="dimmed" aria-hidden>
          {format.moment(first.at)}
        </Text>
        {last !== first && (
          <Text size="xs" c="dimmed" aria-hidden>
            {format.moment(last.at)}
          </Text>
        )}
      </Group>
    </div>
  )
}
