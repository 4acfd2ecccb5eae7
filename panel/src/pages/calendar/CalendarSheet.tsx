import { Group, Stack, Text } from '@mantine/core'
import type { Calendar } from '@peyk/contract'
import { type CSSProperties, useMemo, useState } from 'react'
import { useApp } from '../../api/use-app.ts'
import { Answer } from '../../parts/Answer.tsx'
import { useToast } from '../../parts/hooks/use-toast.ts'
import { Panel } from '../../parts/Panel.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { MoveDialog } from '../messages/MoveDialog.tsx'
import { readMove } from '../messages/read-move.ts'
import { AgendaView } from './AgendaView.tsx'
import classes from './CalendarSheet.module.css'
import { CalendarContext } from './calendar-context.ts'
import { type PlannedItem, readDays } from './days/day-content.ts'
import { addDays, type Day, momentOf } from './days/days.ts'
import type { ShownDays, View } from './days/shown-days.ts'
import { MonthView } from './MonthView.tsx'
import { type ShownCategory, useCalendar, useCategories, useMove } from './queries.ts'
import { type DropPlace, useDrag } from './use-drag.ts'
import { WeekView } from './WeekView.tsx'

interface CalendarSheetProps {
  view: View
  title: string
  shown: ShownDays
  today: Day
  day: Day
  isWide: boolean
  onGo(day: Day, view?: View): void
}

/** The days with their messages, which can be moved. */
export function CalendarSheet({ view, title, shown, today, day, isWide, onGo }: CalendarSheetProps) {
  const { may } = useApp()
  const { calendar: texts } = useTexts()
  const format = useFormat()
  const toast = useToast()
  const calendar = useCalendar(shown.days[0] as Day, addDays(shown.days.at(-1) as Day, 1))
  const categories = useCategories()
  const { move, isMoving } = useMove()
  const [asked, setAsked] = useState<PlannedItem>()
  const drop = (item: PlannedItem, { day: to, minutes }: DropPlace) => {
    const at = momentOf(to, minutes)
    if (at === item.at) return
    const { sendAt } = readMove(new Date(at).toISOString(), item.localTime)
    if (sendAt === undefined) toast.refused(texts.past)
    else void move(item, sendAt)
  }
  const drag = useDrag(drop, ({ day: to, minutes }) => format.clock(momentOf(to, minutes)))
  const contents = useMemo(() => (calendar.data ? readDays(calendar.data) : new Map()), [calendar.data])
  return (
    <CalendarContext value={{ categories, mayMove: may('operate'), drag, onMove: setAsked }}>
      <Answer of={calendar}>
        {(data) => (
          <Stack gap="xs">
            <Panel flush>
              {!isWide ? (
                <AgendaView from={shown.from} to={shown.to} today={today} contents={contents} />
              ) : view === 'month' ? (
                <MonthView
                  {...{ title, shown, today, day, contents }}
                  onDay={(next) => onGo(next)}
                  onOpenWeek={(next) => onGo(next, 'week')}
                />
              ) : (
                <WeekView {...{ title, today, contents }} days={shown.days} />
              )}
            </Panel>
            <Notes data={data} categories={categories} />
          </Stack>
        )}
      </Answer>
      {asked && (
        <MoveDialog
          sendAt={asked.at}
          localTime={asked.localTime}
          isSaving={isMoving}
          onMove={(sendAt) => {
            setAsked(undefined)
            void move(asked, sendAt)
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </CalendarContext>
  )
}

/** What the colours and marks mean that are to be seen. */
function Notes({ data, categories }: { data: Calendar; categories: ReadonlyMap<string, ShownCategory> }) {
  const { calendar: texts } = useTexts()
  const entries = [...data.planned, ...data.sent.flatMap(({ first }) => first)]
  const used = [...categories].filter(([id]) => entries.some(({ category }) => category === id))
  return (
    <>
      {used.length > 0 && (
        <Group gap="md" component="ul" className={classes.legend}>
          {used.map(([id, { name, color }]) => (
            <li key={id} style={{ '--item-color': `var(--mantine-color-${color}-filled)` } as CSSProperties}>
              <bdi>{name}</bdi>
            </li>
          ))}
        </Group>
      )}
      {data.crowded.length > 0 && (
        <Text size="xs" c="dimmed">
          {texts.crowdedNote}
        </Text>
      )}
      {data.isMore && (
        <Text size="xs" c="dimmed">
          {texts.isMore}
        </Text>
      )}
    </>
  )
}
