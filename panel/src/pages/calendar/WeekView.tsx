import { useContext, useEffect, useRef } from 'react'
import { AppLink } from '../../parts/AppLink.tsx'
import { useNow } from '../../parts/hooks/use-now.ts'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { CalendarContext } from './calendar-context.ts'
import { DayMarks } from './DayMarks.tsx'
import { type DayContent, emptyDay, keyOf } from './days/day-content.ts'
import { type Day, minutesOf, momentOf } from './days/days.ts'
import { layOut } from './days/lay-out.ts'
import { ItemButton } from './ItemButton.tsx'
import { useDayFormat } from './use-day-format.ts'
import classes from './WeekView.module.css'

interface WeekViewProps {
  title: string
  days: readonly Day[]
  today: Day
  contents: ReadonlyMap<Day, DayContent>
}

const dayMinutes = 24 * 60
const itemMinutes = 60
const firstHour = 7
const abovePx = 10
const hourOf = ({ at }: { at: number }) => Math.floor(minutesOf(at) / 60)
const hours = Array.from({ length: 24 }, (_, hour) => hour)

/** Seven days on the clock of the member. On days on which it is changed, an hour is missing or stands for two. */
export function WeekView({ title, days, today, contents }: WeekViewProps) {
  const { calendar: texts } = useTexts()
  const numbers = useFormat()
  const format = useDayFormat()
  const area = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only at first, afterwards it is where the member left it
  useEffect(() => {
    const hour = Math.min(firstHour, ...days.flatMap((day) => contents.get(day)?.items ?? []).map(hourOf))
    const body = area.current?.lastElementChild
    if (area.current && body) area.current.scrollTop = (body.clientHeight * hour) / 24 - abovePx
  }, [])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keys
    <section className={classes.area} ref={area} data-scrolls tabIndex={0} aria-label={`${title}: ${texts.hours}`}>
      <div className={classes.heads}>
        <span />
        {days.map((day) => {
          const { crowded, moreSent } = contents.get(day) ?? emptyDay
          return (
            <div key={day} className={classes.head} data-today={day === today || undefined}>
              <h2 className={classes.day} aria-current={day === today ? 'date' : undefined}>
                <span>{format.weekday(day)}</span> <b>{format.number(day)}</b>
              </h2>
              <DayMarks crowded={crowded} />
              {moreSent > 0 && (
                <AppLink to="/messages" size="xs">
                  {texts.moreSent(numbers.number(moreSent))}
                </AppLink>
              )}
            </div>
          )
        })}
      </div>
      <div className={classes.body}>
        <div className={classes.hours} aria-hidden>
          {hours.map((hour) => (
            <span key={hour} style={{ top: `${(hour / 24) * 100}%` }}>
              {hour > 0 && numbers.clock(new Date(2026, 0, 1, hour))}
            </span>
          ))}
        </div>
        {days.map((day) => (
          <DayColumn key={day} day={day} isToday={day === today} content={contents.get(day) ?? emptyDay} />
        ))}
      </div>
    </section>
  )
}

const percent = (minutes: number) => `${(minutes / dayMinutes) * 100}%`

function DayColumn({ day, isToday, content }: { day: Day; isToday: boolean; content: DayContent }) {
  const numbers = useFormat()
  const { drag } = useContext(CalendarContext)
  const starts = content.items.map(({ at }) => Math.min(minutesOf(at), dayMinutes - itemMinutes))
  const lanes = layOut(starts, itemMinutes)
  // What has passed takes nothing.
  const isTarget = drag.place?.day === day && momentOf(day, drag.place.minutes) > Date.now()
  const place = isTarget ? drag.place : undefined
  return (
    <div className={classes.column} data-day={day} data-hours data-target={place !== undefined || undefined}>
      {isToday && <NowLine />}
      {place && (
        <div className={classes.target} style={{ top: percent(place.minutes), height: percent(itemMinutes) }}>
          {numbers.clock(momentOf(day, place.minutes))}
        </div>
      )}
      {content.items.map((item, index) => {
        const { lane = 0, lanes: of = 1 } = lanes[index] ?? {}
        return (
          <div
            key={keyOf(item)}
            className={classes.place}
            style={{
              top: percent(starts[index] ?? 0),
              height: percent(itemMinutes),
              insetInlineStart: `${(lane / of) * 100}%`,
              width: `${100 / of}%`,
            }}
          >
            <ItemButton item={item} shape="block" />
          </div>
        )
      })}
    </div>
  )
}

function NowLine() {
  return <div className={classes.now} style={{ top: percent(minutesOf(useNow())) }} />
}
