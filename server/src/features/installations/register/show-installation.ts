import type { Installation } from '../installation.ts'

export type InstallationAnswer = ReturnType<typeof showInstallation> & Record<string, unknown>

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
    deviceToken: installation.deviceToken,
    tokenStatus: installation.tokenStatus,
    clientVersion: installation.clientVersion,
    osVersion: installation.osVersion,
    language: installation.language,
    timeZone: installation.timeZone,
    subscriptions: ['default', ...installation.subscriptions],
    launchCount: installation.launchCount,
    launchTime: installation.launchedAt.getTime(),
    installDate: installation.installedAt.getTime(),
    created: installation.createdAt.getTime(),
    loginTime: loginUserId === undefined ? undefined : loggedInAt.getTime(),
    uninstalled: uninstalledAt !== undefined,
    uninstalledAt: uninstalledAt?.getTime(),
  }
}
