import { UnstyledButton } from '@mantine/core'
import { type KeyboardEvent, useContext, useRef } from 'react'
import { useFormat, useLanguage, useTexts } from '../../texts/LanguageProvider.tsx'
import { CalendarContext } from './calendar-context.ts'
import { DayMarks } from './DayMarks.tsx'
import { type DayContent, emptyDay, keyOf } from './days/day-content.ts'
import { addDays, type Day, startOfWeek, systems } from './days/days.ts'
import { type ShownDays, weeksOf } from './days/shown-days.ts'
import { ItemButton } from './ItemButton.tsx'
import classes from './MonthView.module.css'
import { useDayFormat } from './use-day-format.ts'

interface MonthViewProps {
  title: string
  shown: ShownDays
  today: Day
  /** The one that the keyboard is at. */
  day: Day
  contents: ReadonlyMap<Day, DayContent>
  onDay(day: Day): void
  onOpenWeek(day: Day): void
}

/** The weeks of a month. Arrows go from day to day. */
export function MonthView({ title, shown, today, day: current, contents, onDay, onOpenWeek }: MonthViewProps) {
  const format = useDayFormat()
  const { language } = useLanguage()
  const system = systems[language]
  const table = useRef<HTMLTableElement>(null)
  const goBy = (event: KeyboardEvent, day: Day) => {
    const ahead = document.documentElement.dir === 'rtl' ? -1 : 1
    const first = startOfWeek(day, system)
    const next = {
      ArrowRight: addDays(day, ahead),
      ArrowLeft: addDays(day, -ahead),
      ArrowDown: addDays(day, 7),
      ArrowUp: addDays(day, -7),
      Home: first,
      End: addDays(first, 6),
    }[event.key]
    if (next === undefined) return
    event.preventDefault()
    onDay(next)
    // It may be of another month, which is drawn first.
    requestAnimationFrame(() => table.current?.querySelector<HTMLElement>(`[data-number="${next}"]`)?.focus())
  }
  const weeks = weeksOf(shown.days)
  return (
    <table className={classes.month} aria-label={title} ref={table}>
      <thead>
        <tr>
          {weeks[0]?.map((day) => (
            <th key={day} scope="col">
              {format.weekday(day)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => (
              <DayCell
                key={day}
                day={day}
                isToday={day === today}
                isPast={day < today}
                isOutside={day < shown.from || day >= shown.to}
                isCurrent={day === current}
                content={contents.get(day) ?? emptyDay}
                onKeyDown={(event) => goBy(event, day)}
                onOpen={() => onOpenWeek(day)}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface DayCellProps {
  day: Day
  isToday: boolean
  isPast: boolean
  isOutside: boolean
  isCurrent: boolean
  content: DayContent
  onKeyDown(event: KeyboardEvent): void
  onOpen(): void
}

const mostLines = 4
const mostTall = 2

function DayCell({ day, isToday, isPast, isOutside, isCurrent, content, onKeyDown, onOpen }: DayCellProps) {
  const { calendar: texts } = useTexts()
  const numbers = useFormat()
  const format = useDayFormat()
  const { drag } = useContext(CalendarContext)
  const { items, moreSent, crowded } = content
  const all = items.length + moreSent
  const shown = all > mostLines ? items.slice(0, mostLines - 1) : items
  const left = all - shown.length
  return (
    <td
      data-day={day}
      data-past={isPast || undefined}
      data-outside={isOutside || undefined}
      data-target={drag.place?.day === day || undefined}
    >
      <div className={classes.top}>
        <UnstyledButton
          className={classes.number}
          data-number={day}
          data-today={isToday || undefined}
          aria-current={isToday ? 'date' : undefined}
          aria-label={texts.openWeek(format.full(day))}
          tabIndex={isCurrent ? 0 : -1}
          onKeyDown={onKeyDown}
          onClick={onOpen}
        >
          {format.number(day)}
        </UnstyledButton>
        <DayMarks crowded={crowded} />
      </div>
      <div className={classes.items}>
        {shown.map((item) => (
          <ItemButton key={keyOf(item)} item={item} shape={all > mostTall ? 'line' : 'tall'} />
        ))}
        {left > 0 && (
          <UnstyledButton className={classes.more} onClick={onOpen}>
            {texts.more(numbers.number(left))}
          </UnstyledButton>
        )}
      </div>
    </td>
  )
}
