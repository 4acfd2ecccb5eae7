/**
 * What a caller asks for. [users-and-events.md#tags]: `add` leaves a value that is there, `set` replaces it, `remove`
 * takes the name away.
 */
export type TagOperation = { kind: 'add' | 'remove'; tag: string } | { kind: 'set'; tag: string; value: string }

/** What is left to do for one tag: `put` makes it have exactly this value, null for none. */
export type TagChange = { kind: 'add' } | { kind: 'remove' } | { kind: 'put'; value: string | null }

/** Many operations on one user's tags, in their order, as one change per tag: the same end without the way there. */
export function applyTagChanges(operations: Iterable<TagOperation>): Map<string, TagChange> {
  const changes = new Map<string, TagChange>()
  for (const operation of operations) changes.set(operation.tag, follow(changes.get(operation.tag), operation))
  return changes
}

function follow(earlier: TagChange | undefined, operation: TagOperation): TagChange {
  if (operation.kind === 'remove') return { kind: 'remove' }
  if (operation.kind === 'set') return { kind: 'put', value: operation.value }
  if (earlier === undefined) return { kind: 'add' }
  return earlier.kind === 'remove' ? { kind: 'put', value: null } : earlier
}
