import { ActionIcon, Kbd, Modal, NavLink, Stack, TextInput, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconMessage, IconSearch, IconSettings, IconUser } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { useApp } from '../../api/use-app.ts'
import { useGo } from '../../parts/AppLink.tsx'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { listedPages } from '../pages.ts'
import classes from './QuickSearch.module.css'
import { offerQuickSearch } from './quick-search-state.ts'
import { type Find, useFinds } from './use-finds.ts'

const messageId = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i

/** One box for pages, sections of the settings, and what the app holds. */
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
  const found = useFinds(words)
  const isMeant = (label: string) => label.toLowerCase().includes(words.toLowerCase())
  const foundSections = () =>
    Object.entries(shell.sections)
      .filter(([, label]) => app.may('settings') && isMeant(label))
      .map(([name, label]) => ({
        key: `settings ${name}`,
        label,
        detail: shell.settings,
        icon: IconSettings,
        path: `/settings/${name}`,
      }))
  const search = { search: words }
  const searches = () => [
    { key: '?user', label: shell.findUser(words), icon: IconUser, path: '/users', search },
    {
      key: '?message',
      label: shell.findMessage(words),
      icon: IconMessage,
      ...(messageId.test(words) ? { path: `/messages/${words}` } : { path: '/messages', search }),
    },
  ]
  const finds: Find[] = [
    ...listedPages
      .filter(({ name, isShown }) => isShown(app) && isMeant(shell[name]))
      .map(({ name, icon }) => ({ key: name, label: shell[name], icon, path: `/${name}` })),
    ...(words === '' ? [] : [...foundSections(), ...found, ...searches()]),
  ]
  const choose = (index: number) => {
    dialog.close()
    setText('')
    setChosen(0)
    const find = finds[index]
    if (find) go(find.path, find.search)
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
          {finds.map(({ key, label, detail, icon: Sign }, index) => (
            <NavLink
              key={key}
              component="button"
              label={<bdi>{label}</bdi>}
              {...(detail !== undefined && { description: <bdi>{detail}</bdi> })}
              noWrap
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
