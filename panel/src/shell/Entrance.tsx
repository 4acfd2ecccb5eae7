import { Navigate } from '@tanstack/react-router'
import { useSession } from '../api/use-session.ts'
import { LoginPage } from '../pages/login/LoginPage.tsx'
import { Fault } from '../parts/Fault.tsx'
import { lastApp } from './last-app.ts'
import { NotAMember } from './NotAMember.tsx'

/** Leads to the app that was open last. */
export function Entrance() {
  const session = useSession()
  if (session.isError && session.data === undefined) {
    return <Fault error={session.error} onRetry={() => void session.refetch()} />
  }
  if (session.data === undefined) return null
  if (session.data === null) return <LoginPage />
  const { apps } = session.data
  const last = lastApp()
  const app = apps.find(({ appId }) => appId === last) ?? apps[0]
  if (app === undefined) return <NotAMember session={session.data} />
  return <Navigate to="/$app/overview" params={{ app: app.appId }} replace />
}
