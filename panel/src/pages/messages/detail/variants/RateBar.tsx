import classes from './RateBar.module.css'
import type { Rate } from './say-results.ts'

interface RateBarProps {
  rate: Rate
  /** The rate at the end of the bar. */
  whole: number
  label: string
  isBest: boolean
}

/** A rate as a bar, with its interval as whiskers. */
export function RateBar({ rate: { rate, from, to }, whole, label, isBest }: RateBarProps) {
  const percent = (share: number) => `${Math.min(100, Math.max(0, (share / whole) * 100))}%`
  return (
    <div className={classes.track} role="img" aria-label={label}>
      <div className={classes.bar} data-best={isBest || undefined} style={{ inlineSize: percent(rate) }} />
      <div className={classes.whisker} style={{ insetInlineStart: percent(from), inlineSize: percent(to - from) }} />
    </div>
  )
}
