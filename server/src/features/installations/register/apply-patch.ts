import { limits } from '#base/config.ts'
import { RequestError } from '#base/errors.ts'
import type { Installation, InstallationChange } from '../installation.ts'
import { decideUser, type UserDecision } from '../users/decide-user.ts'

export interface AppliedPatch {
  installation: Installation
  isLogin: boolean
}

/** An installation after a change; a new one when there was none before. */
export function applyPatch(before: Installation | undefined, change: InstallationChange): AppliedPatch | RequestError {
  const user = decideUser(before, change)
  if (!user)
    return new RequestError(
      'identity-unverified',
      'This app verifies identities: to log in, "userHash" must be the HMAC-SHA256 of the user id under the identity secret, in hex.',
    )
  const { patch, at } = change
  const base = before ?? newInstallation(change)
  const details = mergeDetails(base.details, patch.details)
  if (details !== base.details && areTooLarge(base.details, details)) {
    return new RequestError(
      'too-large',
      `The further fields of an installation may take ${limits.installationDetailsBytes} bytes as JSON in all.`,
    )
  }
  const isVisit = patch.launchCount !== undefined && patch.launchCount > base.launchCount
  const installation: Installation = {
    ...base,
    userId: user.userId,
    isGuest: user.isGuest,
    isVerified: isVerified(base, user, change),
    loginUserId: user.isLogin ? user.userId : base.loginUserId,
    loggedInAt: user.isLogin ? at : base.loggedInAt,
    installedAt: plausible(patch.installedAt, at) ?? base.installedAt,
    launchedAt: isVisit ? later(base.launchedAt, plausible(patch.launchedAt, at) ?? at) : base.launchedAt,
    launchCount: isVisit ? (patch.launchCount as number) : base.launchCount,
    // [users-and-events.md#installations-and-users] Whoever speaks is installed.
    uninstalledAt: undefined,
    deviceType: patch.deviceType ?? base.deviceType,
    clientVersion: patch.clientVersion ?? base.clientVersion,
    osVersion: patch.osVersion ?? base.osVersion,
    language: patch.language ?? base.language,
    timeZone: patch.timeZone ?? base.timeZone,
    subscriptions: patch.subscriptions ?? base.subscriptions,
    tokenStatus: patch.tokenStatus ?? base.tokenStatus,
    details,
  }
  return { installation: giveToken(installation, patch.deviceToken, at), isLogin: user.isLogin }
}

/** A user stays verified until another comes; one who was there before may show the hash later. */
function isVerified(before: Installation, { userId }: UserDecision, change: InstallationChange): boolean {
  if (userId !== before.userId) return change.isVerified
  return before.isVerified || (change.hasUserHash && change.patch.userId === userId)
}

function newInstallation({ appId, newId, at, patch }: InstallationChange): Installation {
  return {
    appId,
    id: newId as string,
    installationNo: undefined,
    userId: '',
    isGuest: true,
    isVerified: false,
    loginUserId: undefined,
    loggedInAt: at,
    installedAt: at,
    launchedAt: plausible(patch.launchedAt, at) ?? at,
    createdAt: at,
    uninstalledAt: undefined,
    launchCount: patch.launchCount ?? 1,
    deviceType: patch.deviceType as string,
    clientVersion: undefined,
    osVersion: undefined,
    language: undefined,
    timeZone: undefined,
    subscriptions: [],
    deviceToken: undefined,
    tokenStatus: undefined,
    tokenChangedAt: undefined,
    details: {},
  }
}

/** null takes the token away, undefined leaves it. */
export function giveToken(installation: Installation, token: string | null | undefined, at: Date): Installation {
  if (token === undefined || (token ?? undefined) === installation.deviceToken) return installation
  return { ...installation, deviceToken: token ?? undefined, tokenChangedAt: at }
}

const year2000 = Date.UTC(2000, 0, 1)

/** Devices' clocks are often wrong: a time in the future, or before there were phones, is no time. */
function plausible(time: Date | undefined, now: Date): Date | undefined {
  return time && time.getTime() >= year2000 && time <= now ? time : undefined
}

function later(left: Date, right: Date): Date {
  return left > right ? left : right
}

/** What was larger before may become smaller. */
function areTooLarge(before: Installation['details'], after: Installation['details']): boolean {
  const bytes = Buffer.byteLength(JSON.stringify(after))
  return bytes > limits.installationDetailsBytes && bytes > Buffer.byteLength(JSON.stringify(before))
}

function mergeDetails(before: Installation['details'], sent: Record<string, unknown>): Installation['details'] {
  const changed = Object.entries(sent).filter(([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value))
  return changed.length === 0 ? before : { ...before, ...Object.fromEntries(changed) }
}
