import type * as contract from '@peyk/contract'
import { describeBrowser, version } from './describe-browser.ts'
import { callService, PeykError, type Sent, type Service } from './rest.ts'
import type { Database } from './store/database.ts'
import { changeState, type Installation, type NewInstallation, readState } from './store/state.ts'

const sessionMs = 30 * 60 * 1_000

interface Device {
  database: Database
  appId: string
  service: Service
  /** The version of the app, for segments. */
  clientVersion: string | undefined
}

export type InstallationChange = Sent<typeof contract.updateInstallation>

/** Tells the service of this browser: the first time it gets its id, later it is a visit. */
export async function register(device: Device): Promise<Installation> {
  return inTurn(device.appId, async () => {
    const { database, service } = device
    await countVisit(database)
    const body = await describeInstallation(device)
    const known = await readState(database, 'installation')
    if (!known) return create(device, body)
    try {
      const answer = await callService<typeof contract.updateInstallation>(service, `/api/installations/${known.id}`, {
        method: 'PUT',
        body,
      })
      return keepInstallation(database, answer)
    } catch (error) {
      if (!(error instanceof PeykError) || error.status !== 404) throw error
    }
    const { userId, userHash, isGuest, subscriptions } = known
    const login = isGuest ? {} : { userId, isGuest, ...(userHash !== undefined && { userHash }) }
    return create(device, { ...body, ...login, subscriptions }).catch((error) => {
      // The hash is not good any more: the browser is a guest's until the app logs its user in anew.
      if (error instanceof PeykError && error.code === 'identity-unverified') return create(device, body)
      throw error
    })
  })
}

/** Changes what the service knows of this installation: its user, its channels, its token. */
export async function updateInstallation(
  { database, appId, service }: Pick<Device, 'database' | 'appId' | 'service'>,
  change: (known: Installation) => InstallationChange | Promise<InstallationChange>,
): Promise<Installation> {
  return inTurn(appId, async () => {
    const known = await readState(database, 'installation')
    if (!known) throw new PeykError('no-installation', 'This browser is not registered yet.')
    const body = await change(known)
    const answer = await callService<typeof contract.updateInstallation>(service, `/api/installations/${known.id}`, {
      method: 'PUT',
      body,
    })
    const { userHash } = body
    return keepInstallation(database, answer, userHash)
  })
}

async function create({ database, service }: Device, described: NewInstallation): Promise<Installation> {
  const begun = { key: crypto.randomUUID(), body: described }
  const sending = (await changeState(database, 'registration', (before) => before ?? begun)) ?? begun
  const { key, body } = sending
  const answer = await callService<typeof contract.registerInstallation>(service, '/api/installations', {
    body,
    idempotencyKey: key,
  }).catch(async (error) => {
    // What the service refuses will not get better by being sent again as it was.
    if (error instanceof PeykError && !error.isTemporary) await changeState(database, 'registration', () => undefined)
    throw error
  })
  const installation = await keepInstallation(database, answer, body.userHash)
  await changeState(database, 'registration', () => undefined)
  return installation
}

async function keepInstallation(
  database: Database,
  { id, userId, isGuest, subscriptions }: Record<string, unknown>,
  newHash?: string,
): Promise<Installation> {
  const answered = { id: String(id), userId: String(userId), isGuest: isGuest === true }
  const channels = Array.isArray(subscriptions) ? subscriptions.map(String) : []
  const kept = await changeState(database, 'installation', (before) => {
    const userHash = newHash ?? (before?.userId === answered.userId ? before.userHash : undefined)
    return { ...answered, subscriptions: channels, ...(userHash !== undefined && { userHash }) }
  })
  return kept as Installation
}

/** A page that is opened within half an hour of the last one is of the same visit. */
async function countVisit(database: Database): Promise<void> {
  const now = Date.now()
  await changeState(database, 'visit', (before) => {
    const isSame = before !== undefined && now - before.seenAt < sessionMs
    if (isSame) return { ...before, seenAt: now }
    const { count, installedAt } = before ?? { count: 0, installedAt: now }
    return { count: count + 1, installedAt, seenAt: now, sessionId: crypto.randomUUID() }
  })
}

async function describeInstallation({ database, appId, clientVersion }: Device): Promise<NewInstallation> {
  const visit = await readState(database, 'visit')
  const webPush = await readState(database, 'webPush')
  return {
    appId,
    deviceType: 'web',
    ...describeBrowser(navigator.userAgent),
    appVersion: version,
    ...(clientVersion !== undefined && { clientVersion }),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    language: navigator.language,
    launchCount: visit?.count,
    launchTime: visit?.seenAt,
    installDate: visit?.installedAt,
    newInstall: visit?.count === 1,
    realtime: true,
    ...(webPush && !webPush.isStale && { deviceToken: webPush.deviceToken }),
    ...tokenStatus(),
  }
}

/** As the service is told: whether this browser may show notifications. Not asked yet: nothing is said. */
export function tokenStatus(): { tokenStatus?: string } {
  if (typeof Notification === 'undefined') return { tokenStatus: 'NOT_SUPPORTED:notifications' }
  if (Notification.permission === 'default') return {}
  return { tokenStatus: Notification.permission === 'granted' ? 'ALLOWED' : 'DENIED' }
}

/** Two tabs that start at once must not become two installations. */
function inTurn<T>(appId: string, work: () => Promise<T>): Promise<T> {
  return navigator.locks.request(`peyk:${appId}:registration`, work) as Promise<T>
}
