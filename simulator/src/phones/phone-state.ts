import { randomUUID } from 'node:crypto'
import type { DrawnNotification } from './draw-notification.ts'
import type { HeldPush } from './held-push.ts'
import {
  deviceOf,
  type Permission,
  type PhoneProvider,
  type Platform,
  type PushProvider,
  pushProviderOf,
} from './platform.ts'

export type NotificationState = 'shown' | 'opened' | 'acted' | 'dismissed'

/** By which way something came to a phone. */
export type Way = 'connection' | PushProvider

export interface ShownNotification extends DrawnNotification {
  messageId: string
  via: Way
  /** Epoch milliseconds. */
  shownAt: number
  state: NotificationState
}

/** What the app itself was given over the own connection, with a notification or without. */
export interface ReceivedMessage {
  messageId: string
  content: string
  data: Record<string, unknown>
  silent: boolean
  inApp: boolean
  /** Epoch milliseconds. */
  receivedAt: number
}

export interface PendingReceipt {
  id: string
  actionType: 'SHOWN' | 'OPENED' | 'ACTION_TAKEN' | 'DISMISSED'
  msgId: string
  trackId?: string
  /** Epoch milliseconds. */
  actionTs: number
  actionId?: string
}

/** All there is to a phone, as it is kept between two runs. */
export interface PhoneState {
  id: string
  platform: Platform
  provider: PhoneProvider
  userId: string
  /** Not logged in: `userId` is what the service calls it. */
  isGuest?: boolean
  /** What the app on it says of it; the usual of such a phone when there is nothing. */
  details?: Record<string, string>
  /** Channels at the first registration; `default` when there is nothing. */
  subscriptions?: string[]
  permission: Permission
  online: boolean
  installed: boolean
  app: 'open' | 'closed'
  /** How often the app was installed on it: what was begun for an earlier one is nothing to a later one. */
  installNo: number
  /** Which app it is, as the service calls it. */
  appId: string | null
  installationId: string | null
  /** What the provider gave it, as the service is told. */
  deviceToken: string | null
  /** What the provider finds it by: the token itself, or the endpoint of the subscription. */
  address: string | null
  /** The application server key that a browser subscribed with. */
  vapidKey: string | null
  isRegistered: boolean
  installedAt: number
  launchedAt: number
  launchCount: number
  /** Newest last. */
  notifications: ShownNotification[]
  /** Newest last. */
  messages: ReceivedMessage[]
  /** The message ids that it has seen lately, on whichever way. */
  seen: string[]
  held: HeldPush[]
  receipts: PendingReceipt[]
}

export interface NewPhone {
  platform: Platform
  userId: string
  permission?: Permission
  /** The platform's own when it is not named. */
  provider?: PhoneProvider
  details?: Record<string, string>
  subscriptions?: string[]
}

export function newPhoneState(input: NewPhone): PhoneState {
  const { platform, userId, permission = 'allowed', provider, details, subscriptions } = input
  const now = Date.now()
  return {
    id: randomUUID(),
    platform,
    provider: provider ?? pushProviderOf[platform],
    userId,
    ...(details && { details }),
    ...(subscriptions && { subscriptions }),
    permission,
    online: true,
    installed: true,
    app: 'closed',
    installNo: 1,
    appId: null,
    installationId: null,
    deviceToken: null,
    address: null,
    vapidKey: null,
    isRegistered: false,
    installedAt: now,
    launchedAt: now,
    launchCount: 0,
    notifications: [],
    messages: [],
    seen: [],
    held: [],
    receipts: [],
  }
}

/** What anybody may see of it. */
export interface PhoneView
  extends Pick<
    PhoneState,
    | 'id'
    | 'platform'
    | 'provider'
    | 'userId'
    | 'installationId'
    | 'permission'
    | 'online'
    | 'installed'
    | 'app'
    | 'notifications'
    | 'messages'
  > {
  /** What people call such a phone. */
  name: string
  /** The way by which messages come to it, as it is now. */
  path: Way
  /** Its own connection to the service stands at this moment. */
  connected: boolean
  /** Why it does not, although it should. */
  connectionFault: string | null
}

export function viewPhone(state: PhoneState, connection: { isConnected: boolean; fault: string | null }): PhoneView {
  const { id, platform, provider, userId, installationId, permission, online, installed, app } = state
  return {
    id,
    name: deviceOf(state).name,
    platform,
    provider,
    path: provider === 'none' || app === 'open' ? 'connection' : provider,
    userId,
    installationId,
    permission,
    online,
    installed,
    app,
    connected: connection.isConnected,
    connectionFault: connection.fault,
    notifications: state.notifications,
    messages: state.messages,
  }
}
