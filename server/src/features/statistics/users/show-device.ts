import type { UserDevice } from '@peyk/contract'
import type { Presence } from '../../installations/connections/find-presence.ts'
import type { DeviceRow, PastToken } from './devices-store.ts'

/** A device as the panel shows it. The push token itself is nobody's business there. */
export function showDevice(row: DeviceRow, past: readonly PastToken[], presence: Presence | undefined): UserDevice {
  return {
    id: row.id,
    deviceType: row.device_type,
    ...(row.manufacturer !== null && { manufacturer: row.manufacturer }),
    ...(row.model !== null && { model: row.model }),
    ...(row.os_version !== null && { osVersion: row.os_version }),
    ...(row.client_version !== null && { clientVersion: row.client_version }),
    ...(row.language !== null && { language: row.language }),
    ...(row.time_zone !== null && { timeZone: row.time_zone }),
    channels: ['default', ...row.subscriptions.map(showChannel)],
    visits: row.launch_count,
    installedAt: row.installed_at.getTime(),
    lastVisitAt: row.launched_at.getTime(),
    ...(row.uninstalled_at && { uninstalledAt: row.uninstalled_at.getTime() }),
    isSignedIn: !row.is_guest,
    token: {
      isThere: row.has_token,
      ...(row.token_status !== null && { status: row.token_status }),
      ...(row.token_changed_at && { changedAt: row.token_changed_at.getTime() }),
      past: past.map(({ ended_at, given_at, reason }) => ({
        endedAt: ended_at.getTime(),
        ...(given_at && { givenAt: given_at.getTime() }),
        reason,
      })),
    },
    ...(presence && { connection: { since: presence.connectedAt.getTime(), isOpen: presence.isOpen } }),
    attributes: row.attributes,
  }
}

/** As a message names it. */
function showChannel(subscription: string): string {
  return subscription.startsWith('public/') ? subscription.slice(7) : `private/${subscription}`
}
