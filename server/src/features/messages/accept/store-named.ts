import type { Database } from '#base/store/store.ts'
import { readNewestUserChange } from '../../installations/users/user-changes-store.ts'
import { raiseIds } from './assign-rising-ids.ts'
import { dependsOnUser } from './depends-on-user.ts'
import type { Accepted } from './draft-message.ts'
import { findReceivers } from './find-receivers.ts'
import { insertPersonalMessages } from './insert-personal-messages.ts'
import type { LeasedWork, LeaseOffer } from './leased-work.ts'
import type { NamedDraft } from './named-draft.ts'
import { readSendingApps } from './read-sending-apps.ts'
import { withoutForgotten } from './without-forgotten.ts'

/** Messages to named users, answered in their order. One to nobody but users who were deleted meanwhile is not stored. */
export async function storeNamed(db: Database, sent: readonly NamedDraft[]): Promise<Accepted[]> {
  const drafts = await withUserChanges(db, await withoutForgotten(db, sent))
  if (drafts.length === 0) return sent.map(({ id }) => ({ id, count: 0 }))
  const receivers = await findReceivers(db, drafts)
  await insertPersonalMessages(db, drafts, receivers)
  const counts = new Map(drafts.map(({ id }, index) => [id, receivers[index]?.installationNos.length]))
  return sent.map(({ id }) => ({ id, count: counts.get(id) ?? 0 }))
}

/** What was stored: answers in the order of the messages, and what this process has taken with its offer. */
export interface StoredNamed {
  accepted: Accepted[]
  leased: LeasedWork[]
}

/**
 * The same without a transaction: two questions, and one statement that writes. Undefined, and nothing is stored, when
 * somebody was deleted since the first of the requests came: who that was, the way above looks at.
 */
export async function storeNamedAtOnce(
  store: Database,
  sent: readonly NamedDraft[],
  offer: LeaseOffer | undefined,
): Promise<StoredNamed | undefined> {
  const known = await withUserChanges(store, sent)
  const [apps, receivers] = await Promise.all([
    readSendingApps(store, known),
    findReceivers(store, known, offer?.returningMs),
  ])
  const drafts = raiseIds(known, apps.newest)
  const oldest = new Date(Math.min(...sent.map(({ begunAt }) => begunAt.getTime())))
  const leased = await insertPersonalMessages(store, drafts, receivers, {
    offer,
    looks: apps.looks,
    begunSince: oldest,
  })
  if (!leased) return undefined
  const accepted = drafts.map(({ id }, index) => ({ id, count: receivers[index]?.installationNos.length ?? 0 }))
  return { accepted, leased }
}

/** Read before the installations are. Most messages have one user and need no query. */
async function withUserChanges(db: Database, drafts: readonly NamedDraft[]): Promise<readonly NamedDraft[]> {
  const isShared = ({ userIds, body }: NamedDraft) => userIds.length > 1 && dependsOnUser(body)
  const shared = drafts.filter(isShared)
  if (shared.length === 0) return drafts
  const newest = new Map<number, number>()
  for (const appId of new Set(shared.map((draft) => draft.appId)))
    newest.set(appId, await readNewestUserChange(db, appId))
  return drafts.map((draft) => (isShared(draft) ? { ...draft, userChange: newest.get(draft.appId) as number } : draft))
}

const usersPerStatement = 10_000

/** The same for any number of users, a part at a time. */
export async function storeNamedInParts(db: Database, drafts: readonly NamedDraft[]): Promise<Accepted[]> {
  const accepted: Accepted[] = []
  for (const part of cutByUsers(drafts)) accepted.push(...(await storeNamed(db, part)))
  return accepted
}

function cutByUsers(drafts: readonly NamedDraft[]): NamedDraft[][] {
  const parts: NamedDraft[][] = []
  let users = Number.POSITIVE_INFINITY
  for (const draft of drafts) {
    users += draft.userIds.length
    if (users > usersPerStatement) {
      parts.push([])
      users = draft.userIds.length
    }
    parts.at(-1)?.push(draft)
  }
  return parts
}
