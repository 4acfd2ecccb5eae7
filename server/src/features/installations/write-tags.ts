import { defineBatch } from '../../base/batch.ts'
import type { Transaction } from '../../base/store/store.ts'
import { foldTags, type TagChange, type TagOperation } from './fold-tags.ts'
import { type LockedUser, lockUsers } from './lock-users.ts'
import { deleteTags, insertTags, putTags, type TagRow } from './tags-store.ts'
import { countInstallations } from './user-rows-store.ts'

export interface TagWrite {
  appId: number
  userId: string
  operations: TagOperation[]
}

/** Adding, setting and removing in one kind of batch, so that a user's calls take effect in their order. */
export const writeTags = defineBatch<TagWrite, { count: number }>({
  name: 'tags',
  maxWeight: 2_000,
  weight: (write) => Math.max(1, write.operations.length),
  flush: async (tx, writes) => {
    const users = groupByUser(writes)
    // Removing from somebody who is not known makes nobody.
    const keys = users.map(({ appId, userId, operations }) => ({
      appId,
      userId,
      makes: operations.some((operation) => operation.kind !== 'remove'),
    }))
    const locked = await lockUsers(tx, keys)
    const changes = users.flatMap((user, index) => changesOf(user, locked[index]))
    await writeChanges(tx, changes)
    const counts = await countInstallations(
      tx,
      users.map(({ appId }, index) => (locked[index] ? { appId, userNo: locked[index].userNo } : undefined)),
    )
    const countOf = new Map(users.map((user, index) => [userKey(user), counts[index] as number]))
    return writes.map((write) => ({ count: countOf.get(userKey(write)) as number }))
  },
})

function groupByUser(writes: readonly TagWrite[]): TagWrite[] {
  const users = new Map<string, TagWrite>()
  for (const write of writes) {
    const user = users.get(userKey(write))
    if (user) user.operations.push(...write.operations)
    else users.set(userKey(write), { ...write, operations: [...write.operations] })
  }
  return [...users.values()]
}

type Change = TagRow & { kind: TagChange['kind'] }

function changesOf(user: TagWrite, locked: LockedUser | undefined): Change[] {
  if (!locked) return []
  return [...foldTags(user.operations)].map(([tag, change]) => ({
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
