import { Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import {
  IconCalendarTime,
  IconCheck,
  IconClock,
  IconMessage,
  IconPlayerPause,
  IconRepeat,
  IconWorld,
  IconX,
} from '@tabler/icons-react'
import { useContext } from 'react'
import { useLinkTo } from '../../parts/AppLink.tsx'
import { useSayWhen } from '../../parts/hooks/use-say-when.ts'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { CalendarContext } from './calendar-context.ts'
import type { Item } from './days/day-content.ts'
import classes from './ItemButton.module.css'
import { nameOf, useItemWords } from './item-words.ts'

/** In a month one line, or more where there is room; in a week as high as an hour; in a list over its width. */
type ItemShape = 'line' | 'tall' | 'block' | 'row'

/** A message on the calendar; opens what can be done with it. */
export function ItemButton({ item, shape }: { item: Item; shape: ItemShape }) {
  const { calendar: texts } = useTexts()
  const format = useFormat()
  const sayWhen = useSayWhen()
  const wordsOf = useItemWords()
  const linkTo = useLinkTo()
  const { categories, mayMove, drag, onMove } = useContext(CalendarContext)
  const category = item.category === undefined ? undefined : categories.get(item.category)
  const name = nameOf(item) ?? texts.noText
  const clock = format.clock(item.at)
  const words = wordsOf(item, category?.name ?? item.category)
  const isMovable = mayMove && item.kind === 'planned'
  const isPaused = item.kind === 'sent' ? item.state === 'paused' : item.isPaused === true
  return (
    <Menu position="bottom-start" shadow="md" width={280}>
      <Menu.Target>
        <UnstyledButton
          className={classes.item}
          data-shape={shape}
          data-kind={item.kind}
          data-paused={isPaused || undefined}
          data-close={(item.kind !== 'sent' && item.isClose) || undefined}
          data-movable={isMovable || undefined}
          style={{ '--item-color': `var(--mantine-color-${category ? `${category.color}-filled` : 'gray-6'})` }}
          {...(isMovable && drag.handle(item))}
        >
          <span className={classes.head}>
            <time className={classes.clock}>{clock}</time>
            {item.localTime && <VisuallyHidden>{texts.localTime}</VisuallyHidden>}
            <Signs item={item} isPaused={isPaused} />
          </span>
          <bdi className={classes.name}>{name}</bdi>
          {shape === 'block' || shape === 'row' ? (
            <span className={classes.more}>{words.join(' · ')}</span>
          ) : (
            <VisuallyHidden>{words.join(', ')}</VisuallyHidden>
          )}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)" component="div">
            <bdi>{name}</bdi>
          </Text>
          <Text size="xs" component="div">
            {sayWhen(item.localTime ?? item.at)}
          </Text>
          <Text size="xs" component="div">
            {words.join(' · ')}
          </Text>
        </Menu.Label>
        {item.id !== undefined && (
          <Menu.Item leftSection={<IconMessage size={16} />} renderRoot={linkTo(`/messages/${item.id}`)}>
            {texts.open}
          </Menu.Item>
        )}
        {item.seriesId !== undefined && (
          <Menu.Item leftSection={<IconRepeat size={16} />} renderRoot={linkTo(`/series/${item.seriesId}`)}>
            {texts.openSeries}
          </Menu.Item>
        )}
        {isMovable && (
          <Menu.Item leftSection={<IconCalendarTime size={16} />} onClick={() => onMove(item)}>
            {texts.move}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

function Signs({ item, isPaused }: { item: Item; isPaused: boolean }) {
  const sign = { size: 12, stroke: 2, 'aria-hidden': true } as const
  return (
    <span className={classes.signs}>
      {item.seriesId !== undefined && <IconRepeat {...sign} />}
      {item.localTime && <IconWorld {...sign} />}
      {isPaused && <IconPlayerPause {...sign} />}
      {item.kind === 'sent' && item.state === 'sent' && <IconCheck {...sign} />}
      {item.kind === 'sent' && item.state === 'sending' && <IconClock {...sign} />}
      {item.kind === 'sent' && (item.state === 'cancelled' || item.state === 'recalled') && <IconX {...sign} />}
    </span>
  )
}
