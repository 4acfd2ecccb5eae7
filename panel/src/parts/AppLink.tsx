import { Anchor, type AnchorProps } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useCallback } from 'react'
import { useApp } from '../api/use-app.ts'

export type Search = Record<string, string | number | boolean | undefined>

/** The address of a page of this app: `/messages/123`. */
export function useHref(): (path: string) => string {
  const { appId } = useApp()
  return useCallback((path) => `/${encodeURIComponent(appId)}${path}`, [appId])
}

interface AppLinkProps extends AnchorProps {
  /** A path within the app; its parts are encoded already. */
  to: string
  search?: Search
  children: ReactNode
}

export function AppLink({ to, search, children, ...anchor }: AppLinkProps) {
  const href = useHref()
  return (
    <Anchor renderRoot={(props) => <Link {...props} to={href(to)} search={search as never} />} {...anchor}>
      {children}
    </Anchor>
  )
}

/** For buttons: `renderRoot={linkTo('/send', { user })}`. */
export function useLinkTo(): (to: string, search?: Search) => (props: object) => ReactNode {
  const href = useHref()
  return useCallback((to, search) => (props) => <Link {...props} to={href(to)} search={search as never} />, [href])
}

/** Goes to a page of this app. */
export function useGo(): (to: string, search?: Search) => void {
  const href = useHref()
  const navigate = useNavigate()
  return useCallback((to, search) => void navigate({ to: href(to), search: search as never }), [href, navigate])
}
