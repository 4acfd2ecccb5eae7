import type { Ability, Session } from '@peyk/contract'
import { createContext, useContext } from 'react'

export interface CurrentApp {
  appId: string
  name: string
  role: Session['apps'][number]['role']
  email: string
  isDevelopment: boolean
  /** Where phones and browsers reach the service. */
  clientUrl: string
  hasPhones: boolean
  may(ability: Ability): boolean
}

export const AppContext = createContext<CurrentApp | undefined>(undefined)

/** The app whose pages are shown, and what the member may do there. */
export function useApp(): CurrentApp {
  const app = useContext(AppContext)
  if (app === undefined) throw new Error('useApp is for pages of an app')
  return app
}
