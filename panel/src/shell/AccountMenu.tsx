import { ActionIcon, Avatar, Menu, useMantineColorScheme } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import {
  IconApi,
  IconBook,
  IconDeviceDesktop,
  IconDevices,
  IconKey,
  IconLanguage,
  IconLogout,
  IconMoon,
  IconSun,
} from '@tabler/icons-react'
import { useApp } from '../api/use-app.ts'
import { PasswordDialog } from '../pages/login/PasswordDialog.tsx'
import { SessionsDialog } from '../pages/login/SessionsDialog.tsx'
import { guideHref, referenceHref } from '../parts/docs-places.ts'
import { useLanguage, useTexts } from '../texts/LanguageProvider.tsx'
import { type Language, languages } from '../texts/languages.ts'
import { useSignOut } from './use-sign-out.ts'

const schemes = [
  ['light', IconSun],
  ['dark', IconMoon],
  ['auto', IconDeviceDesktop],
] as const

export function AccountMenu() {
  const { email, role } = useApp()
  const { shell, common, login } = useTexts()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { language, speak } = useLanguage()
  const signOut = useSignOut()
  const [isPasswordOpen, password] = useDisclosure(false)
  const [isSessionsOpen, sessions] = useDisclosure(false)
  return (
    <>
      <Menu position="bottom-end" width={240}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" radius="xl" size="lg" aria-label={shell.account}>
            <Avatar size={30} color="courier" variant="filled">
              {email.slice(0, 1).toUpperCase()}
            </Avatar>
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            {email} · {common.roles[role]}
          </Menu.Label>
          <Menu.Item leftSection={<IconKey size={16} />} onClick={password.open}>
            {shell.password}
          </Menu.Item>
          <Menu.Item leftSection={<IconDevices size={16} />} onClick={sessions.open}>
            {login.sessions}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Label>{shell.appearance}</Menu.Label>
          {schemes.map(([name, Sign]) => (
            <Menu.Item
              key={name}
              leftSection={<Sign size={16} />}
              onClick={() => setColorScheme(name)}
              fw={colorScheme === name ? 650 : undefined}
            >
              {shell[name]}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Label>{shell.language}</Menu.Label>
          {(Object.keys(languages) as Language[]).map((name) => (
            <Menu.Item
              key={name}
              leftSection={<IconLanguage size={16} />}
              onClick={() => speak(name)}
              fw={language === name ? 650 : undefined}
              lang={name}
            >
              {languages[name].name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item component="a" href={guideHref} target="_blank" leftSection={<IconBook size={16} />}>
            {shell.guide}
          </Menu.Item>
          <Menu.Item component="a" href={referenceHref} target="_blank" leftSection={<IconApi size={16} />}>
            {shell.docs}
          </Menu.Item>
          <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => signOut.mutate()}>
            {shell.signOut}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <PasswordDialog isOpen={isPasswordOpen} onClose={password.close} />
      <SessionsDialog isOpen={isSessionsOpen} onClose={sessions.close} />
    </>
  )
}
