import { AppShell, Burger, Group, ScrollArea, VisuallyHidden } from '@mantine/core'
import { useDisclosure, useWindowEvent } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { Outlet, useLocation, useParams } from '@tanstack/react-router'
import { useEffect, useMemo, useRef } from 'react'
import { AppContext, type CurrentApp } from '../api/use-app.ts'
import { useSession } from '../api/use-session.ts'
import { LoginPage } from '../pages/login/LoginPage.tsx'
import { Fault } from '../parts/Fault.tsx'
import { pageToasts } from '../parts/hooks/page-toasts.ts'
import { StoppedBar } from '../parts/stop-all/StoppedBar.tsx'
import { useTexts } from '../texts/LanguageProvider.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import classes from './AppFrame.module.css'
import { AppSwitch } from './AppSwitch.tsx'
import { LostServer } from './LostServer.tsx'
import { Navigation } from './Navigation.tsx'
import { NotAMember } from './NotAMember.tsx'
import { Shortcuts } from './Shortcuts.tsx'
import { SignInAgain } from './SignInAgain.tsx'
import { QuickSearch } from './search/QuickSearch.tsx'
import { useLastSession } from './use-last-session.ts'

/** The frame around every page of an app: who may see it, and how to get around. */
export function AppFrame() {
  const session = useSession()
  const last = useLastSession(session.data)
  const { app: appId } = useParams({ strict: false }) as { app: string }
  const found = last?.apps.find((candidate) => candidate.appId === appId)
  const current = useMemo<CurrentApp | undefined>(
    () =>
      last &&
      found && {
        appId: found.appId,
        name: found.name,
        role: found.role,
        email: last.member.email,
        isDevelopment: last.mode === 'development',
        clientUrl: last.publicUrl ?? location.origin,
        hasPhones: found.hasPhones,
        may: (ability) => found.may.includes(ability),
      },
    [last, found],
  )
  if (last === undefined) {
    if (session.isError) return <Fault error={session.error} onRetry={() => void session.refetch()} />
    return session.data === null ? <LoginPage /> : null
  }
  if (current === undefined) return <NotAMember appId={appId} session={last} />
  return (
    <AppContext value={current}>
      <Frame key={`${current.appId} ${current.email}`} />
      <SignInAgain isNeeded={session.data === null} />
    </AppContext>
  )
}

function Frame() {
  const { shell } = useTexts()
  const [isMenuOpen, menu] = useDisclosure(false)
  const { pathname } = useLocation()
  const close = menu.close
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the menu
  useEffect(() => close(), [pathname, close])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was said on a page goes with it
  useEffect(
    () => () => {
      for (const id of pageToasts.leavePage()) notifications.hide(id)
    },
    [pathname],
  )
  const burger = useRef<HTMLButtonElement>(null)
  useWindowEvent('keydown', ({ key }) => {
    if (key !== 'Escape' || !isMenuOpen) return
    close()
    burger.current?.focus()
  })
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isMenuOpen } }}
      padding={{ base: 'md', md: 'xl' }}
      classNames={{ header: classes.header, navbar: classes.navbar, main: classes.main }}
    >
      <a href="#content" className={classes.skip}>
        {shell.skip}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" gap="sm" wrap="nowrap" justify="space-between">
          <Group gap="sm" wrap="nowrap">
            <Burger
              ref={burger}
              opened={isMenuOpen}
              onClick={menu.toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={shell.menu}
              aria-expanded={isMenuOpen}
            />
            <AppSwitch />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <QuickSearch />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar data-closed={!isMenuOpen || undefined}>
        <AppShell.Section grow component={ScrollArea} p="sm">
          <Navigation />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <LostServer />
        <StoppedBar />
        <div className={classes.page}>
          <Outlet />
        </div>
      </AppShell.Main>
      <Shortcuts />
      <VisuallyHidden aria-live="polite" id="announcements" />
    </AppShell>
  )
}
