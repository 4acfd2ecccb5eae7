import type { Database } from '../../../base/store/store.ts'
import { findForgottenUsers } from '../../installations/users/forgotten-users.ts'
import type { Accepted } from './draft-message.ts'
import { findReceivers } from './find-receivers.ts'
import { insertPersonalMessages } from './insert-personal-messages.ts'
import type { LeasedWork, LeaseOffer } from './leased-work.ts'
import type { NamedDraft } from './named-draft.ts'

/** What was stored of messages to named users: answers in their order, and what this process has taken to send it. */
interface StoredNamed {
  accepted: Accepted[]
  leased: LeasedWork[]
}

/** One to nobody but users who were deleted meanwhile is not stored. */
export async function storeNamed(db: Database, sent: readonly NamedDraft[], offer?: LeaseOffer): Promise<StoredNamed> {
  const drafts = await withoutForgotten(db, sent)
  if (drafts.length === 0) return { accepted: sent.map(({ id }) => ({ id, count: 0 })), leased: [] }
  const receivers = await findReceivers(db, drafts, offer?.returningMs)
  const leased = await insertPersonalMessages(db, drafts, receivers, offer)
  const counts = new Map(drafts.map(({ id }, index) => [id, receivers[index]?.installationNos.length]))
  return { accepted: sent.map(({ id }) => ({ id, count: counts.get(id) ?? 0 })), leased }
}

/** A user who was deleted after the request came is none of those it goes to. */
async function withoutForgotten(db: Database, drafts: readonly NamedDraft[]): Promise<readonly NamedDraft[]> {
  const named = drafts.flatMap(({ appId, begunAt, userIds }) => userIds.map((id) => ({ appId, id, begunAt })))
  const isForgotten = await findForgottenUsers(db, named)
  if (!isForgotten.includes(true)) return drafts
  let position = 0
  return drafts
    .map((draft) => ({ ...draft, userIds: draft.userIds.filter(() => !isForgotten[position++]) }))
    .filter(({ userIds }) => userIds.length > 0)
}

const usersPerStatement = 10_000

/** The same for any number of users, a part at a time. */
export async function storeNamedInParts(db: Database, drafts: readonly NamedDraft[]): Promise<Accepted[]> {
  const accepted: Accepted[] = []
  for (const part of cutByUsers(drafts)) accepted.push(...(await storeNamed(db, part)).accepted)
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
