import { presentFields } from '#base/present-fields.ts'
import type { Installation } from '../installation.ts'

/** An installation under the wire's names; times are epoch milliseconds. */
export function showInstallation(appLabel: string, installation: Installation) {
  const { loginUserId, loggedInAt, uninstalledAt } = installation
  return {
    ...installation.details,
    id: installation.id,
    appId: appLabel,
    userId: installation.userId,
    isGuest: installation.isGuest,
    isLoggedIn: !installation.isGuest,
    deviceType: installation.deviceType,
    subscriptions: ['default', ...installation.subscriptions],
    launchCount: installation.launchCount,
    launchTime: installation.launchedAt.getTime(),
    installDate: installation.installedAt.getTime(),
    created: installation.createdAt.getTime(),
    uninstalled: uninstalledAt !== undefined,
    ...presentFields({
      deviceToken: installation.deviceToken,
      tokenStatus: installation.tokenStatus,
      clientVersion: installation.clientVersion,
      osVersion: installation.osVersion,
      language: installation.language,
      timeZone: installation.timeZone,
      loginTime: loginUserId === undefined ? undefined : loggedInAt.getTime(),
      uninstalledAt: uninstalledAt?.getTime(),
    }),
  }
}
