import type { registerInstallation } from '@peyk/contract'
import type { OpenedNotification } from '../notification/open-notification.ts'
import type { Receipt } from '../receipt.ts'
import type { Sent } from '../rest.ts'
import type { Database } from './database.ts'

export interface Installation {
  id: string
  userId: string
  isGuest: boolean
  subscriptions: string[]
  /** Kept, because an installation that the service has forgotten logs in again. */
  userHash?: string
}

/** Fields that the contract does not name are kept and given back. */
export type NewInstallation = Sent<typeof registerInstallation> & { appId: string }

export interface State {
  /** For the service worker, which nobody calls with options. */
  service: { baseUrl: string; clientKey: string }
  installation: Installation
  /** A registration under way: sent again as it is, so that an answer that was lost leaves no second installation. */
  registration: { key: string; body: NewInstallation }
  visit: { count: number; sessionId: string; installedAt: number; seenAt: number }
  /** Stale: the browser has another subscription by now, of which the service has not heard. */
  webPush: { publicKey: string; deviceToken: string; isStale?: true }
  lastReceipt: Receipt & { direct: boolean }
  /** Opened while no page was there to be told. */
  opened: OpenedNotification[]
}

export async function readState<Name extends keyof State>(
  database: Database,
  name: Name,
): Promise<State[Name] | undefined> {
  return database.run<State[Name] | undefined>('state', 'readonly', (store) => store.get(name))
}

/** Changes what is kept under a name, in one step; undefined removes it. */
export async function changeState<Name extends keyof State>(
  database: Database,
  name: Name,
  change: (before: State[Name] | undefined) => State[Name] | undefined,
): Promise<State[Name] | undefined> {
  let after: State[Name] | undefined
  await database.run('state', 'readwrite', (store) => {
    const reading = store.get(name)
    reading.onsuccess = () => {
      after = change(reading.result)
      if (after === undefined) store.delete(name)
      else store.put(after, name)
    }
    return undefined
  })
  return after
}
