import { ActionIcon, Kbd, Modal, NavLink, Stack, TextInput, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconMessage, IconSearch, IconUser } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { useApp } from '../api/use-app.ts'
import { useGo } from '../parts/AppLink.tsx'
import { useTexts } from '../texts/LanguageProvider.tsx'
import { listedPages } from './pages.ts'
import classes from './QuickSearch.module.css'
import { offerQuickSearch } from './quick-search-state.ts'

const messageId = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i

/** One box for pages, users and messages. */
export function QuickSearch() {
  const app = useApp()
  const go = useGo()
  const { shell, common } = useTexts()
  const [isOpen, dialog] = useDisclosure(false)
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const open = dialog.open
  useEffect(() => offerQuickSearch(open), [open])

  const words = text.trim()
  const finds = [
    ...listedPages
      .filter(({ name, isShown }) => isShown(app) && shell[name].toLowerCase().includes(words.toLowerCase()))
      .map(({ name, icon }) => ({ key: name as string, label: shell[name], icon, run: () => go(`/${name}`) })),
    ...(words === ''
      ? []
      : [
          { key: '?user', label: shell.findUser(words), icon: IconUser, run: () => go('/users', { search: words }) },
          {
            key: '?message',
            label: shell.findMessage(words),
            icon: IconMessage,
            run: () => (messageId.test(words) ? go(`/messages/${words}`) : go('/messages', { search: words })),
          },
        ]),
  ]
  const choose = (index: number) => {
    dialog.close()
    setText('')
    setChosen(0)
    finds[index]?.run()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setChosen((index) => Math.min(index + 1, finds.length - 1))
    else if (event.key === 'ArrowUp') setChosen((index) => Math.max(index - 1, 0))
    else if (event.key === 'Enter') choose(chosen)
    else return
    event.preventDefault()
  }

  return (
    <>
      <UnstyledButton className={classes.box} onClick={open} visibleFrom="sm">
        <IconSearch size={16} aria-hidden />
        <span>{common.search}</span>
        <Kbd size="xs">/</Kbd>
      </UnstyledButton>
      <ActionIcon variant="subtle" color="gray" size="lg" hiddenFrom="sm" aria-label={common.search} onClick={open}>
        <IconSearch size={20} />
      </ActionIcon>
      <Modal
        opened={isOpen}
        onClose={dialog.close}
        withCloseButton={false}
        attributes={{ content: { 'aria-label': shell.quick } }}
        yOffset="12vh"
      >
        <TextInput
          aria-label={shell.quick}
          placeholder={shell.quickHint}
          leftSection={<IconSearch size={16} />}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setChosen(0)
          }}
          onKeyDown={press}
          data-autofocus
        />
        <Stack gap={2} mt="sm" mah="50vh" style={{ overflowY: 'auto' }}>
          {finds.map(({ key, label, icon: Sign }, index) => (
            <NavLink
              key={key}
              component="button"
              label={label}
              leftSection={<Sign size={18} stroke={1.7} />}
              active={index === chosen}
              onClick={() => choose(index)}
              style={{ borderRadius: 'var(--mantine-radius-md)' }}
            />
          ))}
        </Stack>
      </Modal>
    </>
  )
}
