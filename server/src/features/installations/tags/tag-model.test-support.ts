import fc from 'fast-check'
import type { TagOperation } from './apply-tag-changes.ts'

/** [users-and-events.md#tags] in plain words, to measure the real thing against. */
export function applyTagOperation(tags: Map<string, string | null>, operation: TagOperation): void {
  if (operation.kind === 'remove') tags.delete(operation.tag)
  else if (operation.kind === 'set') tags.set(operation.tag, operation.value)
  else if (!tags.has(operation.tag)) tags.set(operation.tag, null)
}

const tag = fc.constantFrom('a', 'b', 'c')

export const tagOperation: fc.Arbitrary<TagOperation> = fc.oneof(
  fc.record({ kind: fc.constantFrom('add' as const, 'remove' as const), tag }),
  fc.record({ kind: fc.constant('set' as const), tag, value: fc.constantFrom('1', '2') }),
)
