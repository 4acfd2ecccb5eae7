import { Group, Kbd, Modal, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useApp } from '../api/use-app.ts'
import { useGo } from '../parts/AppLink.tsx'
import { expectFocus } from '../parts/lost-focus.ts'
import { useTexts } from '../texts/LanguageProvider.tsx'
import { listedPages } from './pages.ts'
import { pressedLetter } from './pressed-letter.ts'
import { openQuickSearch } from './search/quick-search-state.ts'

const sequenceMs = 1200

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable], [role="dialog"]') !== null
  )
}

/** `/` searches, `g` and a letter goes to a page, `?` shows the list. */
export function Shortcuts() {
  const app = useApp()
  const go = useGo()
  const { shell, common } = useTexts()
  const [isHelpOpen, setIsHelpOpen] = useState(false)
  const startedAt = useRef(Number.NEGATIVE_INFINITY)
  const pages = listedPages.filter(({ isShown }) => isShown(app))

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (event.timeStamp - startedAt.current < sequenceMs) {
        startedAt.current = Number.NEGATIVE_INFINITY
        const letter = pressedLetter(event)
        const page = listedPages.find(({ key, isShown }) => key === letter && isShown(app))
        if (page === undefined) return
        event.preventDefault()
        expectFocus()
        go(`/${page.name}`)
      } else if (pressedLetter(event) === 'g') startedAt.current = event.timeStamp
      else if (event.key === '/') {
        event.preventDefault()
        openQuickSearch()
      } else if (event.key === '?' || event.key === '؟') setIsHelpOpen(true)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [app, go])

  return (
    <Modal
      opened={isHelpOpen}
      onClose={() => setIsHelpOpen(false)}
      title={shell.shortcuts}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <Stack gap="xs">
        <Line keys={['/']} text={shell.keys.search} />
        {pages.map(({ name, key }) => (
          <Line key={name} keys={['g', key]} text={shell.keys.goTo(shell[name])} />
        ))}
        <Line keys={['Ctrl', 'Enter']} text={shell.keys.send} />
        <Line keys={['?']} text={shell.keys.help} />
      </Stack>
    </Modal>
  )
}

function Line({ keys, text }: { keys: readonly string[]; text: string }) {
  return (
    <Group justify="space-between">
      <Text size="sm">{text}</Text>
      <Group gap={4} dir="ltr">
        {keys.map((key) => (
          <Kbd key={key}>{key}</Kbd>
        ))}
      </Group>
    </Group>
  )
}
