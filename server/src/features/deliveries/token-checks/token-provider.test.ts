import { createTestStore } from '@peyk/test/database/test-store.ts'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { providerOf } from '../choose-path.ts'
import { streamOfToken } from './token-provider.ts'

const store = await createTestStore()

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength: length, maxLength: length })
const token = fc.oneof(
  fc.constantFrom(null, '', ' ', '{', '{}', ' {', 'disabled', '\n'),
  fc.integer({ min: 62, max: 67 }).chain(hex),
  fc.integer({ min: 198, max: 203 }).chain(hex),
  hex(64).map((text) => `${text.slice(1)}g`),
  fc.string({ unit: 'grapheme' }).map((text) => text.toWellFormed().replaceAll('\0', '')),
)

it('puts every token into the stream of the provider that its delivery is sent by', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(token, { minLength: 20, maxLength: 100 }), async (tokens) => {
      const rows = await store.query<{ stream: string }>(sql`
        select ${streamOfToken} as stream
        from unnest(${tokens}::text[]) with ordinality as d(device_token, position) order by position`)
      expect(rows.map(({ stream }) => stream)).toEqual(tokens.map((each) => providerOf({ token: each }) ?? 'mixed'))
    }),
    { numRuns: 40 },
  )
})
