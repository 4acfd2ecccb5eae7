import fc from 'fast-check'
import { expect, it } from 'vitest'
import { applyTagChanges, type TagOperation } from './apply-tag-changes.ts'
import { applyTagOperation, tagOperation } from './tag-model.test-support.ts'

it('does at once what the operations do one by one', () => {
  const tags = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.option(fc.constantFrom('1', '2')), {
    noNullPrototype: true,
  })
  fc.assert(
    fc.property(tags, fc.array(tagOperation), (start, operations) => {
      const slow = new Map(Object.entries(start))
      for (const operation of operations) applyTagOperation(slow, operation)
      expect(atOnce(new Map(Object.entries(start)), operations)).toEqual(slow)
    }),
  )
})

function atOnce(tags: Map<string, string | null>, operations: TagOperation[]) {
  for (const [tag, change] of applyTagChanges(operations)) {
    if (change.kind === 'remove') tags.delete(tag)
    else if (change.kind === 'put') tags.set(tag, change.value)
    else if (!tags.has(tag)) tags.set(tag, null)
  }
  return tags
}
