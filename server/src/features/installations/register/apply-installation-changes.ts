import { limits } from '#base/config.ts'
import { RequestError } from '#base/errors.ts'
import { hashDeviceToken } from '../device-tokens/device-token.ts'
import type { Installation, InstallationChange } from '../installation.ts'
import { unknownInstallation } from '../installation-id.ts'
import type { Activity } from '../record-activity.ts'
import { applyPatch, giveToken } from './apply-patch.ts'

const DAY = 86_400_000

const tooMany = new RequestError(
  'limit-reached',
  `The user has ${limits.installationsPerUser} installations already. Those without a push token that were not seen for ${limits.forgottenAfterDays} days do not count.`,
)

export interface AppliedInstallations {
  /** One per change, in order: the installation as that change left it. */
  answers: (Installation | RequestError)[]
  /** Every installation as it is after all changes, by `installationKey`. */
  states: Map<string, Installation>
  logins: { appId: number; userId: string; key: string }[]
  /** Imported devices that were already known. */
  known: ReadonlySet<InstallationChange>
  /** Installations that passed from a registered user to somebody else at least once, by `installationKey`. */
  passedOn: ReadonlySet<string>
  /** What counts for the day on which it happened. */
  activities: (Pick<Activity, 'at' | 'isInstall' | 'isVisit' | 'isFirst'> & { key: string })[]
}

export function installationKey({ appId, id }: { appId: number; id: string | undefined }): string {
  return `${appId}/${id}`
}

/**
 * Applies changes in the order of their arrival. `stored` has the installations that they name and those that hold the
 * tokens they bring: a token leaves its holder for whoever brings it last
 * [users-and-events.md#installations-and-users]. `counts` says how many installations users have who may get another
 * one, by `app/user`.
 */
export function applyInstallationChanges(
  stored: readonly Installation[],
  changes: readonly InstallationChange[],
  counts: Map<string, number> = new Map(),
): AppliedInstallations {
  const states = new Map(stored.map((installation) => [installationKey(installation), installation]))
  const holders = new Map<string, string>()
  for (const [key, { appId, deviceToken }] of states) if (deviceToken) holders.set(tokenKey(appId, deviceToken), key)
  const logins: AppliedInstallations['logins'] = []
  const activities: AppliedInstallations['activities'] = []
  const known = new Set<InstallationChange>()
  const passedOn = new Set<string>()

  const answers = changes.map((change) => {
    const before = states.get(installationKey(change))
    const token = change.patch.deviceToken ?? change.imported?.token
    const wanted = token ? tokenKey(change.appId, token) : undefined
    const kept = change.imported && (before ?? holderOf(wanted))
    if (kept) {
      known.add(change)
      if (change.imported?.optsOut && kept === before) states.set(installationKey(kept), optOut(kept, change.at))
      return kept
    }
    if (!before && !change.newId) return unknownInstallation(String(change.id))
    const applied = applyPatch(before, change)
    if (applied instanceof RequestError) return applied
    const { installation, isLogin } = applied
    if (before?.userId !== installation.userId && !takeRoom(installation)) return tooMany
    const key = installationKey(installation)
    states.set(key, installation)
    if (before && !before.isGuest && before.userId !== installation.userId) passedOn.add(key)
    activities.push(...activitiesOf(before, installation, change.at).map((activity) => ({ ...activity, key })))
    if (isLogin) logins.push({ appId: installation.appId, userId: installation.userId, key })
    if (change.patch.deviceToken) takeToken(wanted as string, key, change.at)
    return installation
  })
  return { answers, states, logins, known, passedOn, activities }

  function takeRoom({ appId, userId }: Installation): boolean {
    const count = counts.get(`${appId}/${userId}`) ?? 0
    if (count >= limits.installationsPerUser) return false
    counts.set(`${appId}/${userId}`, count + 1)
    return true
  }

  function takeToken(wanted: string, key: string, at: Date) {
    const holder = holderOf(wanted)
    const holderKey = holder && installationKey(holder)
    if (holder && holderKey !== key) states.set(holderKey as string, giveToken(holder, null, at))
    holders.set(wanted, key)
  }

  function holderOf(wanted: string | undefined): Installation | undefined {
    const holder = wanted === undefined ? undefined : states.get(holders.get(wanted) ?? '')
    // The holder may have given up the token since it was noted here.
    return holder?.deviceToken && tokenKey(holder.appId, holder.deviceToken) === wanted ? holder : undefined
  }
}

/** The app on an imported device never uses its id, so only another import can update it. */
function optOut(installation: Installation, at: Date): Installation {
  return giveToken({ ...installation, tokenStatus: 'DENIED' }, null, at)
}

/**
 * One that comes back is installed again [users-and-events.md#installations-and-users]. A visit is one, however far the
 * count of launches jumps.
 */
function activitiesOf(before: Installation | undefined, after: Installation, at: Date): Omit<Activity, keyof Owner>[] {
  if (!before) {
    return [
      { at: after.installedAt, isInstall: true },
      { at: after.launchedAt, isVisit: true, isFirst: true },
    ]
  }
  const isFirst = utcDay(before.launchedAt) < utcDay(after.launchedAt)
  return [
    ...(before.uninstalledAt ? [{ at, isInstall: true }] : []),
    ...(after.launchCount > before.launchCount ? [{ at: after.launchedAt, isVisit: true, isFirst }] : []),
  ]
}

type Owner = Pick<Activity, 'appId' | 'userNo' | 'deviceType'>

function utcDay(at: Date): number {
  return Math.floor(at.getTime() / DAY)
}

function tokenKey(appId: number, token: string): string {
  return `${appId}/${hashDeviceToken(token).toString('base64')}`
}
