import { NavLink, Stack, Text } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { useId } from 'react'
import { useApp } from '../api/use-app.ts'
import { useHref } from '../parts/AppLink.tsx'
import { useTexts } from '../texts/LanguageProvider.tsx'
import classes from './Navigation.module.css'
import { type ListedPage, listedPages, type PageGroup, pageGroups } from './pages.ts'

export function Navigation() {
  const app = useApp()
  const { shell } = useTexts()
  const shown = listedPages.filter(({ isShown }) => isShown(app))
  const of = (wanted: ListedPage['group']) => shown.filter(({ group }) => group === wanted)
  return (
    <Stack component="nav" gap={2} aria-label={shell.menu} className={classes.menu}>
      {of('first').map((page) => (
        <PageLink key={page.name} page={page} />
      ))}
      {pageGroups.map((group) => (
        <PageGroupLinks key={group} group={group} pages={of(group)} />
      ))}
      <div className={classes.last}>
        {of('last').map((page) => (
          <PageLink key={page.name} page={page} />
        ))}
      </div>
    </Stack>
  )
}

function PageGroupLinks({ group, pages }: { group: PageGroup; pages: ListedPage[] }) {
  const { shell } = useTexts()
  const id = useId()
  if (pages.length === 0) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div role="group" aria-labelledby={id}>
      <Text id={id} className={classes.group}>
        {shell.groups[group]}
      </Text>
      {pages.map((page) => (
        <PageLink key={page.name} page={page} />
      ))}
    </div>
  )
}

function PageLink({ page: { name, icon: Sign } }: { page: ListedPage }) {
  const { shell } = useTexts()
  const href = useHref()
  const { pathname } = useLocation()
  const path = href(`/${name}`)
  const isActive = pathname === path || pathname.startsWith(`${path}/`)
  return (
    <NavLink
      label={shell[name]}
      leftSection={<Sign size={18} stroke={1.7} aria-hidden />}
      active={isActive}
      aria-current={isActive ? 'page' : undefined}
      renderRoot={(props) => <Link {...props} to={path} />}
      className={classes.link}
    />
  )
}
