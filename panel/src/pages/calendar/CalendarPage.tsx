import { ActionIcon, Button, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconChevronLeft, IconChevronRight, IconSend } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { useApp } from '../../api/use-app.ts'
import { useLinkTo } from '../../parts/AppLink.tsx'
import { useNow } from '../../parts/hooks/use-now.ts'
import { usePageSearch } from '../../parts/hooks/use-page-search.ts'
import { PageHead } from '../../parts/PageHead.tsx'
import { useLanguage, useTexts } from '../../texts/LanguageProvider.tsx'
import classes from './CalendarPage.module.css'
import { CalendarSheet } from './CalendarSheet.tsx'
import { type Day, dayOf, isDay, systems } from './days/days.ts'
import { showDays, stepTo, type View, views } from './days/shown-days.ts'
import { useDayFormat } from './use-day-format.ts'

/** What is to go out and what went, by month and by week. */
export function CalendarPage() {
  const { calendar: texts, messages, shell } = useTexts()
  const { language } = useLanguage()
  const { may } = useApp()
  const linkTo = useLinkTo()
  const format = useDayFormat()
  const isWide = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false })
  const [search, change] = usePageSearch()
  const today = dayOf(useNow())
  const view = views.find((each) => each === search.view) ?? 'month'
  const day = isDay(search.day) ? search.day : today
  const shown = showDays(view, day, systems[language])
  const title = view === 'month' ? format.month(day) : format.range(shown.days[0] as Day, shown.days[6] as Day)
  const goTo = (next: Day, nextView: View = view) =>
    change({ day: next === today ? undefined : next, view: nextView === 'month' ? undefined : nextView })
  const step = (by: 1 | -1) => goTo(stepTo(view, day, systems[language], by))
  const turn = (event: KeyboardEvent) => {
    if (event.key !== 'PageUp' && event.key !== 'PageDown') return
    event.preventDefault()
    step(event.key === 'PageDown' ? 1 : -1)
  }
  return (
    <>
      <PageHead
        title={shell.calendar}
        lead={texts.lead}
        actions={
          may('send-to-one') && (
            <Button leftSection={<IconSend size={16} />} renderRoot={linkTo('/send', { new: 'yes' })}>
              {messages.send}
            </Button>
          )
        }
      />
      <Stack gap="sm" onKeyDown={turn}>
        <Group justify="space-between" gap="sm">
          <Group gap="xs" wrap="nowrap">
            <ActionIcon variant="default" size="lg" aria-label={texts.earlier[view]} onClick={() => step(-1)}>
              <IconChevronLeft size={18} className={classes.turned} />
            </ActionIcon>
            <ActionIcon variant="default" size="lg" aria-label={texts.later[view]} onClick={() => step(1)}>
              <IconChevronRight size={18} className={classes.turned} />
            </ActionIcon>
            <Button variant="default" size="sm" onClick={() => goTo(today)}>
              {texts.today}
            </Button>
            <Title order={2} size="h4" aria-live="polite" className={classes.title}>
              {title}
            </Title>
          </Group>
          <SegmentedControl
            aria-label={texts.view}
            data={views.map((value) => ({ value, label: texts.views[value] }))}
            value={view}
            onChange={(value) => goTo(day, value as View)}
          />
        </Group>
        <CalendarSheet {...{ view, title, shown, today, day, isWide }} onGo={goTo} />
        {isWide && may('operate') && (
          <Text size="xs" c="dimmed">
            {texts.dragHint}
          </Text>
        )}
      </Stack>
    </>
  )
}
