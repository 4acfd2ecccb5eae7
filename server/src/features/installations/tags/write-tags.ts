import { defineBatch } from '#base/batch.ts'
import { limits } from '#base/config.ts'
import { RequestError } from '#base/errors.ts'
import type { Transaction } from '#base/store/store.ts'
import { findForgottenUsers } from '../users/forgotten-users.ts'
import { type LockedUser, lockUsers } from '../users/lock-users.ts'
import { countInstallations } from '../users/user-rows-store.ts'
import { applyTagChanges, type TagChange, type TagOperation } from './apply-tag-changes.ts'
import { countTags, deleteTags, insertTags, putTags, readTagNames, type TagRow } from './tags-store.ts'

export interface TagWrite {
  appId: number
  userId: string
  operations: TagOperation[]
  begunAt: Date
}

/** Adding, setting and removing in one kind of batch, so that a user's calls take effect in their order. */
export const writeTags = defineBatch<TagWrite, { count: number }>({
  name: 'tags',
  maxWeight: 2_000,
  weight: (write) => Math.max(1, write.operations.length),
  flush: async (tx, writes) => {
    const isForgotten = await findForgottenUsers(
      tx,
      writes.map(({ appId, userId, begunAt }) => ({ appId, id: userId, begunAt })),
    )
    const users = groupByUser(writes.filter((_, index) => !isForgotten[index]))
    // Removing from somebody who is not known makes nobody.
    const keys = users.map(({ appId, userId, writes: own }) => ({
      appId,
      userId,
      makes: own.some(({ operations }) => operations.some(({ kind }) => kind !== 'remove')),
    }))
    const locked = await lockUsers(tx, keys)
    const refused = await refuseTooMany(tx, users, locked)
    const changes = users.flatMap((user, index) => changesOf(user, refused, locked[index]))
    await writeChanges(tx, changes)
    const counts = await countInstallations(
      tx,
      users.map(({ appId }, index) => (locked[index] ? { appId, userNo: locked[index].userNo } : undefined)),
    )
    const countOf = new Map(users.map((user, index) => [userKey(user), counts[index] as number]))
    return writes.map((write, index) =>
      refused.has(write)
        ? new RequestError('limit-reached', `The user would have more than ${limits.tagsPerUser} tags.`)
        : { count: isForgotten[index] ? 0 : (countOf.get(userKey(write)) as number) },
    )
  },
})

interface UserWrites {
  appId: number
  userId: string
  writes: TagWrite[]
}

function groupByUser(writes: readonly TagWrite[]): UserWrites[] {
  const users = new Map<string, UserWrites>()
  for (const write of writes) {
    const user = users.get(userKey(write))
    if (user) user.writes.push(write)
    else users.set(userKey(write), { appId: write.appId, userId: write.userId, writes: [write] })
  }
  return [...users.values()]
}

/** The tags of a user are read only where there may be too many of them. */
async function refuseTooMany(
  tx: Transaction,
  users: readonly UserWrites[],
  locked: readonly (LockedUser | undefined)[],
): Promise<Set<TagWrite>> {
  const growing = users.flatMap(({ appId, writes }, index) => {
    const added = writes.reduce((sum, { operations }) => sum + operations.length, 0)
    const user = locked[index]
    return user && !(user.isNew && added <= limits.tagsPerUser) ? [{ appId, userNo: user.userNo, writes, added }] : []
  })
  const counts = growing.length > 0 ? await countTags(tx, growing) : []
  const refused = new Set<TagWrite>()
  for (const [index, { appId, userNo, writes, added }] of growing.entries()) {
    if ((counts[index] as number) + added <= limits.tagsPerUser) continue
    let tags = new Set(await readTagNames(tx, appId, userNo))
    for (const write of writes) {
      const after = new Set(tags)
      for (const { kind, tag } of write.operations) kind === 'remove' ? after.delete(tag) : after.add(tag)
      if (after.size > limits.tagsPerUser && after.size > tags.size) refused.add(write)
      else tags = after
    }
  }
  return refused
}

type Change = TagRow & { kind: TagChange['kind'] }

function changesOf(user: UserWrites, refused: ReadonlySet<TagWrite>, locked: LockedUser | undefined): Change[] {
  if (!locked) return []
  const operations = user.writes.flatMap((write) => (refused.has(write) ? [] : write.operations))
  return [...applyTagChanges(operations)].map(([tag, change]) => ({
    appId: user.appId,
    userNo: locked.userNo,
    tag,
    kind: change.kind,
    value: change.kind === 'put' ? change.value : null,
  }))
}

async function writeChanges(tx: Transaction, changes: readonly Change[]): Promise<void> {
  const writers = { remove: deleteTags, add: insertTags, put: putTags }
  for (const kind of ['remove', 'add', 'put'] as const) {
    const rows = changes.filter((change) => change.kind === kind)
    if (rows.length > 0) await writers[kind](tx, rows)
  }
}

function userKey({ appId, userId }: { appId: number; userId: string }): string {
  return `${appId}/${userId}`
}
