import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { AppLink } from '../../parts/AppLink.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import classes from './AgendaView.module.css'
import { DayMarks } from './DayMarks.tsx'
import { type DayContent, emptyDay, keyOf } from './days/day-content.ts'
import { type Day, daysBetween } from './days/days.ts'
import { ItemButton } from './ItemButton.tsx'
import { useDayFormat } from './use-day-format.ts'

interface AgendaViewProps {
  from: Day
  to: Day
  today: Day
  contents: ReadonlyMap<Day, DayContent>
}

/** Days that have something, one below the other: for narrow screens. Today is always there. */
export function AgendaView({ from, to, today, contents }: AgendaViewProps) {
  const { calendar: texts } = useTexts()
  const numbers = useFormat()
  const [areAllShown, setAreAllShown] = useState(false)
  const filled = daysBetween(from, to).filter((day) => day === today || contents.has(day))
  const isNow = today >= from && today < to
  const earlier = isNow && !areAllShown ? filled.filter((day) => day < today) : []
  const days = filled.slice(earlier.length)
  if (days.length === 0) return <Text className={classes.empty}>{texts.nothing}</Text>
  return (
    <>
      {earlier.length > 0 && (
        <Button variant="subtle" fullWidth radius={0} onClick={() => setAreAllShown(true)}>
          {texts.earlierDays(earlier.length, numbers.number(earlier.length))}
        </Button>
      )}
      {days.map((day) => (
        <AgendaDay key={day} day={day} isToday={day === today} content={contents.get(day) ?? emptyDay} />
      ))}
    </>
  )
}

function AgendaDay({ day, isToday, content }: { day: Day; isToday: boolean; content: DayContent }) {
  const { calendar: texts } = useTexts()
  const numbers = useFormat()
  const format = useDayFormat()
  const { items, moreSent, crowded } = content
  return (
    <section className={classes.day} aria-labelledby={`day-${day}`}>
      <div className={classes.head}>
        <h2 id={`day-${day}`} data-today={isToday || undefined}>
          {format.full(day)}
          {isToday && <span> · {texts.today}</span>}
        </h2>
        <DayMarks crowded={crowded} />
      </div>
      <Stack gap={6}>
        {items.map((item) => (
          <ItemButton key={keyOf(item)} item={item} shape="row" />
        ))}
        {moreSent > 0 && (
          <AppLink to="/messages" size="sm">
            {texts.moreSent(numbers.number(moreSent))}
          </AppLink>
        )}
        {items.length === 0 && (
          <Text size="sm" c="dimmed">
            {texts.nothing}
          </Text>
        )}
      </Stack>
    </section>
  )
}
