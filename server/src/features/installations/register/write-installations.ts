import { defineBatch } from '#base/batch.ts'
import { RequestError } from '#base/errors.ts'
import type { Transaction } from '#base/store/store.ts'
import { hashDeviceToken } from '../device-tokens/device-token.ts'
import { endedTokens } from '../device-tokens/ended-tokens.ts'
import { recordPastTokens } from '../device-tokens/past-tokens-store.ts'
import type { Installation, InstallationChange } from '../installation.ts'
import { lockInstallations, readInstallations, type StoredInstallation } from '../installations-store.ts'
import { recordActivity } from '../record-activity.ts'
import { findForgottenUsers } from '../users/forgotten-users.ts'
import { type LockedUser, lockUsers } from '../users/lock-users.ts'
import { type ChangedUser, notifyUserChange } from '../users/user-change-notice.ts'
import { recordGuestLogins, recordUserChanges } from '../users/user-changes-store.ts'
import {
  countAndLookForForgotten,
  countInstallationsOf,
  leaveEventAdoptions,
  markRegistered,
} from '../users/user-rows-store.ts'
import { type AppliedInstallations, applyInstallationChanges, installationKey } from './apply-installation-changes.ts'
import { emitNew, type NewOnes } from './emit-new.ts'
import {
  type InstallationRow,
  insertInstallations,
  lockTokens,
  releaseTokens,
  updateDetailRows,
  updateInstallationRows,
} from './installation-rows-store.ts'

/**
 * Registrations and updates, in the order of their arrival: lock what is concerned, read it, fold the changes in
 * memory, write each changed installation once.
 */
export const writeInstallation = defineBatch<InstallationChange, Installation>({
  name: 'installations',
  maxWeight: 500,
  flush: async (tx, sent, { store, now }) => {
    const { answers, made, moved } = await writeAll(tx, sent)
    for (const each of moved) tx.afterCommit(() => notifyUserChange(store, each))
    await emitNew(tx, store, made, now())
    return answers
  },
})

/**
 * Stores a device of an import, and says whether it was known. Webhooks are not called: the device is new to Peyk only,
 * and a back end may greet new users.
 */
export const importInstallation = defineBatch<InstallationChange, { installation: Installation; isKnown: boolean }>({
  name: 'imported installations',
  maxWeight: 1_000,
  flush: async (tx, sent) => {
    const { answers, known } = await writeAll(tx, sent)
    return answers.map((installation, index) =>
      installation instanceof RequestError
        ? installation
        : { installation, isKnown: known.has(sent[index] as InstallationChange) },
    )
  },
})

async function writeAll(tx: Transaction, sent: InstallationChange[]) {
  const { counts, hasForgotten } = await countAndLookForForgotten(tx, usersOfNew(sent))
  const isForgotten = hasForgotten ? await findForgotten(tx, sent) : new Set()
  const changes = sent.filter((change) => !isForgotten.has(change))
  const stored = await readConcerned(tx, changes)
  const before = stored.map((row) => row.installation)
  await countOfOthers(tx, before, changes, counts)
  const folded = applyInstallationChanges(before, changes, counts)
  const made = await writeFolded(tx, stored, folded)
  const answers = folded.answers.values()
  return {
    answers: sent.map((change) =>
      isForgotten.has(change) ? userWasDeleted() : (answers.next().value as Installation | RequestError),
    ),
    known: folded.known,
    made,
    moved: usersAfter(before, folded.states),
  }
}

/** Installations whose user has changed. */
function usersAfter(before: readonly Installation[], states: AppliedInstallations['states']): ChangedUser[] {
  return before.flatMap((was) => {
    const userId = states.get(installationKey(was))?.userId
    const { installationNo } = was
    return userId === undefined || userId === was.userId || installationNo === undefined
      ? []
      : [{ installationNo, userId }]
  })
}

/** Those that name a user, or an installation of a user, who was deleted after the request came. */
async function findForgotten(
  tx: Transaction,
  changes: readonly InstallationChange[],
): Promise<ReadonlySet<InstallationChange>> {
  const named = changes.flatMap((change) =>
    [change.id, change.patch.userId].flatMap((id) => (id === undefined ? [] : [{ change, id }])),
  )
  const isForgotten = await findForgottenUsers(
    tx,
    named.map(({ change: { appId, begunAt }, id }) => ({ appId, id, begunAt })),
  )
  return new Set(named.filter((_, index) => isForgotten[index]).map(({ change }) => change))
}

function userWasDeleted(): RequestError {
  return new RequestError('store-busy', 'The user was deleted while this request was on its way. Send it again.')
}

async function readConcerned(tx: Transaction, changes: readonly InstallationChange[]): Promise<StoredInstallation[]> {
  const tokens = changes.flatMap(({ appId, patch, imported }) => {
    const token = patch.deviceToken ?? imported?.token
    return token ? [{ appId, hash: hashDeviceToken(token) }] : []
  })
  const ids = changes.flatMap(({ appId, id }) => (id ? [{ appId, id }] : []))
  if (tokens.length > 0) await lockTokens(tx, tokens)
  if (tokens.length + ids.length === 0) return []
  const numbers = await lockInstallations(tx, ids, tokens)
  return numbers.length > 0 ? readInstallations(tx, numbers) : []
}

/** Those who get a new installation, as often as a change names them. */
function usersOfNew(changes: readonly InstallationChange[]): { appId: number; userId: string }[] {
  const keys = new Set(
    changes.flatMap(({ appId, id, patch: { userId } }) => (id || userId === undefined ? [] : [userKey(appId, userId)])),
  )
  return changes.flatMap(({ appId, patch: { userId } }) =>
    userId !== undefined && keys.has(userKey(appId, userId)) ? [{ appId, userId }] : [],
  )
}

/** Adds those users to the counts who may get an installation of somebody else. */
async function countOfOthers(
  tx: Transaction,
  stored: readonly Installation[],
  changes: readonly InstallationChange[],
  counts: Map<string, number>,
): Promise<void> {
  const userOf = new Map(stored.map((installation) => [installationKey(installation), installation.userId]))
  const users = changes.flatMap((change) => {
    const { appId, id, patch } = change
    const { userId } = patch
    return !id ||
      userId === undefined ||
      userOf.get(installationKey(change)) === userId ||
      counts.has(userKey(appId, userId))
      ? []
      : [{ appId, userId }]
  })
  if (users.length === 0) return
  for (const [key, count] of await countInstallationsOf(tx, users)) counts.set(key, count)
}

async function writeFolded(
  tx: Transaction,
  stored: StoredInstallation[],
  { states, logins, passedOn, activities }: AppliedInstallations,
): Promise<NewOnes> {
  const before = new Map(stored.map((row) => [installationKey(row.installation), row.installation]))
  const changed = [...states].filter(([key, state]) => before.get(key) !== state).map(([, state]) => state)
  const { known, users } = await resolveUsers(tx, stored, changed, logins)
  const userNo = (appId: number, userId: string) => known.get(userKey(appId, userId)) as number
  const rows = changed.map((installation): InstallationRow => {
    const { appId, userId, loginUserId } = installation
    const loginUserNo = loginUserId === undefined ? undefined : userNo(appId, loginUserId)
    return { installation, userNo: userNo(appId, userId), loginUserNo }
  })
  await recordActivity(
    tx,
    activities.map(({ key, ...activity }) => {
      const { appId, userId, deviceType } = states.get(key) as Installation
      return { ...activity, appId, deviceType, userNo: userNo(appId, userId) }
    }),
  )
  const old = rows.filter((row) => row.installation.installationNo !== undefined)
  const fresh = rows.filter((row) => row.installation.installationNo === undefined)
  await updateRows(tx, old, before)
  await recordPastTokens(tx, endedTokens(before, changed))
  const numbers = new Map(
    old.map(({ installation }) => [installationKey(installation), installation.installationNo as number]),
  )
  if (fresh.length > 0) {
    const made = await insertInstallations(tx, fresh)
    for (const [index, { installation }] of fresh.entries())
      numbers.set(installationKey(installation), made[index] as number)
  }
  if (logins.length > 0) {
    await leaveEventAdoptions(
      tx,
      logins.map(({ appId, userId, key }) => ({
        appId,
        userNo: userNo(appId, userId),
        installationNo: numbers.get(key) as number,
      })),
    )
  }
  // The last lock of this transaction, because all user changes in the app wait for it.
  await recordOwners(tx, stored, states, passedOn)
  return { installations: fresh.map(({ installation }) => installation), users }
}

/**
 * Records previous users: registered ones, whose messages are not for the next user, and guests, whose messages stay.
 */
async function recordOwners(
  tx: Transaction,
  stored: readonly StoredInstallation[],
  states: AppliedInstallations['states'],
  passedOn: AppliedInstallations['passedOn'],
): Promise<void> {
  const changed = stored.flatMap(({ installation: before, userNo }) => {
    const after = states.get(installationKey(before))
    const { appId, installationNo } = before
    return after && installationNo !== undefined ? [{ appId, installationNo, userNo, before, after }] : []
  })
  await recordUserChanges(
    tx,
    changed.flatMap(({ appId, installationNo, userNo, before }) =>
      passedOn.has(installationKey(before)) ? [{ appId, installationNo, fromUserNo: userNo }] : [],
    ),
  )
  await recordGuestLogins(
    tx,
    changed.flatMap(({ appId, installationNo, userNo, before, after }) => {
      const isLogin = before.isGuest && !after.isGuest && !passedOn.has(installationKey(before))
      return isLogin && after.userId !== before.userId ? [{ appId, installationNo, guestUserNo: userNo }] : []
    }),
  )
}

/** The number of every user that a changed installation names, and those who are registered from now on. */
async function resolveUsers(
  tx: Transaction,
  stored: StoredInstallation[],
  changed: Installation[],
  logins: AppliedInstallations['logins'],
): Promise<{ known: Map<string, number>; users: NewOnes['users'] }> {
  const known = new Map<string, number>()
  for (const { installation, userNo, loginUserNo } of stored) {
    known.set(userKey(installation.appId, installation.userId), userNo)
    if (installation.loginUserId && loginUserNo)
      known.set(userKey(installation.appId, installation.loginUserId), loginUserNo)
  }
  const registered = new Set(logins.map(({ appId, userId }) => userKey(appId, userId)))
  const wanted = new Map<string, { appId: number; userId: string; isGuest: boolean; makes: true }>()
  const want = (appId: number, userId: string) => {
    const key = userKey(appId, userId)
    if (!known.has(key) || registered.has(key))
      wanted.set(key, { appId, userId, isGuest: !registered.has(key), makes: true })
  }
  for (const { appId, userId } of [...changed, ...logins]) want(appId, userId)
  const keys = [...wanted.values()]
  if (keys.length === 0) return { known, users: [] }
  const locked = await lockUsers(tx, keys)
  const promoted: { appId: number; userNo: number }[] = []
  const users: { appId: number; userId: string }[] = []
  for (const [index, { appId, userId, isGuest }] of keys.entries()) {
    const user = locked[index] as LockedUser
    known.set(userKey(appId, userId), user.userNo)
    if (user.isGuest && !isGuest) promoted.push({ appId, userNo: user.userNo })
    if (!isGuest && (user.isGuest || user.isNew)) users.push({ appId, userId })
  }
  if (promoted.length > 0) await markRegistered(tx, promoted)
  return { known, users }
}

/** The narrow table and the wide one, each only where something of it changed: a visit touches the narrow one alone. */
async function updateRows(tx: Transaction, rows: InstallationRow[], before: Map<string, Installation>): Promise<void> {
  const changedIn = (fields: readonly (keyof Installation)[]) =>
    rows.filter(({ installation }) => {
      const old = before.get(installationKey(installation)) as Installation
      return fields.some((field) => JSON.stringify(old[field]) !== JSON.stringify(installation[field]))
    })
  const moved = changedIn(['deviceToken'])
  if (moved.length > 0)
    await releaseTokens(
      tx,
      moved.map(({ installation }) => ({
        appId: installation.appId,
        installationNo: installation.installationNo as number,
      })),
    )
  const narrow = changedIn(narrowFields)
  if (narrow.length > 0) await updateInstallationRows(tx, narrow)
  const wide = changedIn(wideFields)
  if (wide.length > 0) await updateDetailRows(tx, wide)
}

const narrowFields = [
  'userId',
  'isGuest',
  'loginUserId',
  'loggedInAt',
  'installedAt',
  'launchedAt',
  'uninstalledAt',
  'launchCount',
  'deviceType',
  'clientVersion',
  'osVersion',
  'language',
  'timeZone',
  'subscriptions',
] as const satisfies (keyof Installation)[]
/** Who is verified is stored by number, so that another user never is by mistake. */
const wideFields = [
  'deviceToken',
  'tokenStatus',
  'tokenChangedAt',
  'details',
  'isVerified',
  'userId',
] as const satisfies (keyof Installation)[]

function userKey(appId: number, userId: string): string {
  return `${appId}/${userId}`
}
