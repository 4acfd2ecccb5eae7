import { VisuallyHidden } from '@mantine/core'
import type { Calendar } from '@peyk/contract'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import classes from './DayMarks.module.css'

/** That more is planned than a cap allows one user. */
export function DayMarks({ crowded }: { crowded: Calendar['crowded'] }) {
  const { calendar: texts } = useTexts()
  const format = useFormat()
  return crowded.map(({ count, cap }) => {
    const [shown, most] = [format.number(count), format.number(cap.count)]
    const window = format.duration(secondsOf(cap.window))
    const words = texts.crowdedText(shown, window, most)
    return (
      <span key={`${cap.window} ${cap.count} ${cap.categories}`} className={classes.mark} title={words}>
        <IconAlertTriangle size={13} aria-hidden />
        <span aria-hidden>{texts.crowded(shown, most)}</span>
        <VisuallyHidden>{words}</VisuallyHidden>
      </span>
    )
  })
}

/** Of `24h` or `7d`. */
function secondsOf(window: string): number {
  return Number.parseInt(window, 10) * (window.endsWith('d') ? 86_400 : 3_600)
}
