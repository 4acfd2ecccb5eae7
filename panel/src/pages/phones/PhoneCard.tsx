import { ActionIcon, Group, Menu, Switch, Text } from '@mantine/core'
import type { Phone } from '@peyk/contract'
import { IconDots, IconDownload, IconSend, IconTrash, IconX } from '@tabler/icons-react'
import { useApp } from '../../api/use-app.ts'
import { AppLink, useLinkTo } from '../../parts/AppLink.tsx'
import { useToast } from '../../parts/hooks/use-toast.ts'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import classes from './PhoneCard.module.css'
import { PhoneScreen } from './PhoneScreen.tsx'
import { useRemovePhone, useUsePhone } from './queries.ts'

export function PhoneCard({ phone }: { phone: Phone }) {
  const { phones: words } = useTexts()
  const { may } = useApp()
  const toast = useToast()
  const linkTo = useLinkTo()
  const { mutate } = useUsePhone(phone.id)
  const remove = useRemovePhone(phone.id)
  const use: typeof mutate = (what) => mutate(what, { onError: toast.failed })
  const mayUse = may('operate')
  return (
    <section className={classes.card} aria-label={`${words.kinds[kindOf(phone)]}, ${phone.userId}`}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" mb="xs">
        <div>
          <Text fw={650} size="sm">
            {words.kinds[kindOf(phone)]}
          </Text>
          <Text size="xs" c="dimmed" component="div">
            <AppLink to={`/users/${encodeURIComponent(phone.userId)}`} size="xs" underline="always">
              {phone.userId}
            </AppLink>{' '}
            · {way(phone, words)}
          </Text>
        </div>
        {mayUse && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" aria-label={words.more}>
                <IconDots size={18} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {may('send-to-one') && (
                <Menu.Item leftSection={<IconSend size={16} />} renderRoot={linkTo('/send', { user: phone.userId })}>
                  {words.send}
                </Menu.Item>
              )}
              {phone.installed ? (
                <Menu.Item leftSection={<IconTrash size={16} />} onClick={() => use({ act: 'uninstall' })}>
                  {words.uninstall}
                </Menu.Item>
              ) : (
                <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => use({ act: 'reinstall' })}>
                  {words.reinstall}
                </Menu.Item>
              )}
              <Menu.Item
                leftSection={<IconX size={16} />}
                onClick={() => remove.mutate(undefined, { onError: toast.failed })}
              >
                {words.remove}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
      <PhoneScreen phone={phone} use={use} />
      {mayUse && (
        <Group justify="center" gap="lg" mt="sm">
          <Switch
            size="sm"
            label={words.appOpen}
            checked={phone.app === 'open'}
            disabled={!phone.installed}
            onChange={(event) => use({ act: event.currentTarget.checked ? 'open' : 'close' })}
          />
          <Switch
            size="sm"
            label={words.online}
            checked={phone.online}
            onChange={(event) => use({ act: event.currentTarget.checked ? 'online' : 'offline' })}
          />
        </Group>
      )}
    </section>
  )
}

export type PhoneKind = 'android' | 'ios' | 'web' | 'noProvider'

export function kindOf({ platform, provider }: Phone): PhoneKind {
  return provider === 'none' ? 'noProvider' : platform
}

function way({ path, connected, connectionFault }: Phone, words: ReturnType<typeof useTexts>['phones']): string {
  if (path !== 'connection') return words.ways[path as keyof typeof words.ways] ?? path
  return connected
    ? words.connected
    : connectionFault === null
      ? words.notConnected
      : words.cannotConnect(connectionFault)
}
