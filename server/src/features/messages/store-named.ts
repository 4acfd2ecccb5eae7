import type { Database } from '../../base/store/store.ts'
import type { Accepted } from './draft-message.ts'
import { findReceivers } from './find-receivers.ts'
import { insertPersonalMessages, type NamedDraft } from './insert-personal-messages.ts'

/** Messages to named users, answered in their order. */
export async function storeNamed(db: Database, drafts: readonly NamedDraft[]): Promise<Accepted[]> {
  const receivers = await findReceivers(db, drafts)
  await insertPersonalMessages(db, drafts, receivers)
  return drafts.map(({ id }, index) => ({ id, count: receivers[index]?.installationNos.length ?? 0 }))
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
