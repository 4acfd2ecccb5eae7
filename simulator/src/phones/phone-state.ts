import type { DrawnNotification } from './draw-notification.ts'
import type { HeldPush } from './held-push.ts'
import type { Permission, Platform } from './platform.ts'

export type NotificationState = 'shown' | 'opened' | 'acted' | 'dismissed'

export interface ShownNotification extends DrawnNotification {
  messageId: string
  /** Epoch milliseconds. */
  shownAt: number
  state: NotificationState
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
  userId: string
  permission: Permission
  online: boolean
  installed: boolean
  /** How often the app was installed on it: what was begun for an earlier one is nothing to a later one. */
  installNo: number
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
  /** The message ids that it has seen lately, on whichever way. */
  seen: string[]
  held: HeldPush[]
  receipts: PendingReceipt[]
}

/** What anybody may see of it. */
export type PhoneView = Pick<
  PhoneState,
  'id' | 'platform' | 'userId' | 'installationId' | 'permission' | 'online' | 'installed' | 'notifications'
>

export function viewPhone(state: PhoneState): PhoneView {
  const { id, platform, userId, installationId, permission, online, installed, notifications } = state
  return { id, platform, userId, installationId, permission, online, installed, notifications }
}
