import { createTestStore } from '@peyk/test/database/test-store.ts'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { quotedArray } from './plain-array.ts'

const store = await createTestStore()

test('words come to PostgreSQL as they are, whatever is in them', async () => {
  const word = fc.oneof(
    fc.constantFrom(null, '', 'NULL', '{}', 'a,b', '"', '\\', '\\"', ' ', '\n'),
    fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '').toWellFormed()),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(word), async (words) => {
      const [row] = await store.query<{ words: (string | null)[] }>(sql`select ${quotedArray(words)}::text[] as words`)
      expect(row?.words).toEqual(words)
    }),
    { numRuns: 50 },
  )
})
