import type { Session } from '@peyk/contract'
import { useRef } from 'react'

/** The session that was there last: a page stays, with all that was typed, when it ends. */
export function useLastSession(session: Session | null | undefined): Session | undefined {
  const last = useRef<Session>(undefined)
  if (session) last.current = session
  return last.current
}
