import { Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, type RefObject, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useLanguage, useTexts } from '#texts/LanguageProvider.tsx'
import classes from './EmojiPanel.module.css'
import { type Emoji, type EmojiGroup, emojiGroups } from './emoji-list.ts'
import { emojiOf, findEmoji } from './find-emoji.ts'
import { keepRecentEmoji, readRecentEmoji } from './recent-emoji.ts'
import { findNeighbour } from './step-in-grid.ts'

interface ShownGroup {
  name: EmojiGroup | 'recent' | 'found'
  emoji: readonly Emoji[]
}

/** All emoji by group, or those that a search finds. Arrows walk through them; letters go to the search. */
export function EmojiPanel({ onPick }: { onPick(sign: string): void }) {
  const { emoji: texts } = useTexts().send
  const [search, setSearch] = useState('')
  const settled = useDeferredValue(search)
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const groups = useMemo(() => groupsFor(settled), [settled])
  const first = groups[0]?.emoji[0]
  const pick = (sign: string) => {
    keepRecentEmoji(sign)
    onPick(sign)
  }
  // It may have come later than the popover, which looks once for what takes the focus.
  useEffect(() => field.current?.focus({ preventScroll: true }), [])
  useEffect(() => {
    if (settled !== '') list.current?.scrollTo({ top: 0 })
  }, [settled])

  const goOn = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && settled.trim() !== '' && first !== undefined) {
      event.preventDefault()
      pick(first.sign)
    }
    if (event.key === 'ArrowDown') {
      event.preventDefault()
      list.current?.querySelector('button')?.focus()
    }
  }
  const walk = (event: KeyboardEvent) => {
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])]
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
    const next = findNeighbour(buttons, at, event.key)
    if (next === 'above') field.current?.focus()
    else if (next !== undefined) buttons[next]?.focus()
    else if (event.key.length === 1 && event.key !== ' ') return field.current?.focus()
    else return
    event.preventDefault()
  }
  return (
    <div className={classes.panel}>
      <TextInput
        ref={field}
        size="xs"
        className={classes.search}
        aria-label={texts.search}
        placeholder={texts.search}
        leftSection={<IconSearch size={14} />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        onKeyDown={goOn}
        autoComplete="off"
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons in it have the focus */}
      <div ref={list} className={classes.list} onKeyDown={walk}>
        {groups.map((group, index) => (
          <Group key={group.name} group={group} isFirst={index === 0} onPick={pick} />
        ))}
        {first === undefined && (
          <Text size="sm" c="dimmed" ta="center" py="xl" role="status">
            {texts.none}
          </Text>
        )}
      </div>
      {settled.trim() === '' && <Tabs groups={groups} list={list} />}
    </div>
  )
}

interface GroupProps {
  group: ShownGroup
  /** Tab goes to the first emoji of the first group; arrows go on from there. */
  isFirst: boolean
  onPick(sign: string): void
}

function Group({ group: { name, emoji }, isFirst, onPick }: GroupProps) {
  const { emoji: texts } = useTexts().send
  const { language } = useLanguage()
  return (
    <fieldset aria-label={texts.groups[name]} data-group={name} className={classes.group}>
      <div className={classes.heading} aria-hidden>
        {texts.groups[name]}
      </div>
      <div className={classes.grid}>
        {emoji.map((each, index) => (
          <button
            key={each.sign}
            type="button"
            className={classes.emoji}
            tabIndex={isFirst && index === 0 ? 0 : -1}
            title={each.name[language]}
            aria-label={each.name[language]}
            onClick={() => onPick(each.sign)}
          >
            {each.sign}
          </button>
        ))}
      </div>
    </fieldset>
  )
}

const signOf: Record<EmojiGroup | 'recent', string> = {
  recent: '🕐',
  smileys: '😀',
  people: '👋',
  hearts: '❤️',
  celebration: '🎉',
  shopping: '🛍️',
  objects: '🔔',
  food: '🍎',
  nature: '🌿',
  travel: '🚀',
  signs: '✅',
}

/** Jumps to a group. */
function Tabs({ groups, list }: { groups: readonly ShownGroup[]; list: RefObject<HTMLDivElement | null> }) {
  const { emoji: texts } = useTexts().send
  const show = (name: string) => {
    const group = list.current?.querySelector<HTMLElement>(`[data-group="${name}"]`)
    list.current?.scrollTo({ top: group?.offsetTop ?? 0 })
    group?.querySelector('button')?.focus({ preventScroll: true })
  }
  return (
    <div className={classes.tabs}>
      {groups.map(({ name }) => (
        <button
          key={name}
          type="button"
          className={classes.tab}
          title={texts.groups[name]}
          aria-label={texts.groups[name]}
          onClick={() => show(name)}
        >
          {name !== 'found' && signOf[name]}
        </button>
      ))}
    </div>
  )
}

function groupsFor(search: string): ShownGroup[] {
  if (search.trim() !== '') {
    const emoji = findEmoji(search)
    return emoji.length === 0 ? [] : [{ name: 'found', emoji }]
  }
  const recent = readRecentEmoji().flatMap((sign) => emojiOf(sign) ?? [])
  return recent.length === 0 ? emojiGroups : [{ name: 'recent', emoji: recent }, ...emojiGroups]
}
