import { NavLink, Stack } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { useApp } from '../api/use-app.ts'
import { useHref } from '../parts/AppLink.tsx'
import { useTexts } from '../texts/LanguageProvider.tsx'
import { listedPages } from './pages.ts'

export function Navigation() {
  const app = useApp()
  const { shell } = useTexts()
  const href = useHref()
  const { pathname } = useLocation()
  return (
    <Stack component="nav" gap={2} aria-label={shell.menu}>
      {listedPages
        .filter(({ isShown }) => isShown(app))
        .map(({ name, icon: Sign }) => {
          const path = href(`/${name}`)
          const isActive = pathname === path || pathname.startsWith(`${path}/`)
          return (
            <NavLink
              key={name}
              label={shell[name]}
              leftSection={<Sign size={19} stroke={1.7} aria-hidden />}
              active={isActive}
              aria-current={isActive ? 'page' : undefined}
              renderRoot={(props) => <Link {...props} to={path} />}
              style={{ borderRadius: 'var(--mantine-radius-md)' }}
            />
          )
        })}
    </Stack>
  )
}
