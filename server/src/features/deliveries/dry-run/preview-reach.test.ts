import { createTestStore } from '@peyk/test/database/test-store.ts'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { choosePath, type Reach } from '../choose-path.ts'
import { type ProviderName, providerNames } from '../provider.ts'
import { type ReachClass, reachColumns, reachMarks, reachOf } from './preview-reach.ts'

const store = await createTestStore()

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength: length, maxLength: length })
const token = fc.oneof(
  fc.constantFrom(null, '', ' ', '{', '{}', '{"endpoint":"https://push.example"}', ' {', 'disabled', 'é', '\n'),
  fc.integer({ min: 62, max: 67 }).chain(hex),
  fc.integer({ min: 198, max: 203 }).chain(hex),
  hex(64).map((text) => `${text}\n`),
  hex(64).map((text) => `${text.slice(1)}g`),
  hex(20).map((text) => `${text}:APA91b_-x`),
  fc.string({ unit: 'grapheme' }).map((text) => text.toWellFormed().replaceAll('\0', '')),
)
const reach: fc.Arbitrary<Reach> = fc
  .record({
    deviceType: fc.constantFrom('android', 'ios', 'web', 'Android', 'tvos', ''),
    token,
    tokenStatus: fc.constantFrom(
      null,
      '',
      'ALLOWED',
      'DENIED',
      'denied',
      'Denied',
      'denıed',
      ' DENIED',
      'NOT_SUPPORTED:x',
      'ERR',
    ),
    isConnected: fc.boolean(),
    isOpen: fc.boolean(),
  })
  .map((each) => ({ ...each, isOpen: each.isConnected && each.isOpen }))
const flag = fc.boolean()
const message = fc.record({
  product: fc.constantFrom('message' as const, 'notification' as const),
  silent: flag,
  inApp: flag,
  live: flag,
  autoNotify: flag,
})
const providers = fc.subarray([...providerNames]).map((list) => new Set<ProviderName>(list))

describe('the paths that a dry run counts', () => {
  it('are those that the delivery itself chooses, for any installation, message and credentials', async () => {
    let run = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(reach, { minLength: 20, maxLength: 60 }),
        fc.array(fc.tuple(message, providers), { minLength: 5, maxLength: 10 }),
        async (reaches, cases) => {
          const classes = await store.query<ReachClass & { platform: string }>(sql`
            with given as (
              select * from unnest(${reaches.map((each) => each.deviceType)}::text[], ${reaches.map((each) => each.token)}::text[],
                ${reaches.map((each) => each.tokenStatus)}::text[],
                ${reaches.map((each) => (each.isConnected ? each.isOpen : null))}::boolean[])
                with ordinality as g(device_type, device_token, token_status, is_open, position)
            ), d as (
              insert into installation_details (app_id, installation_no, device_token, token_status)
              select ${++run}, position, device_token, token_status from given
              returning installation_no, token_provider, is_denied
            )
            select ${reachColumns}
            from (
              select f.position, ${reachMarks}
              from given f join d on d.installation_no = f.position cross join lateral (select f.is_open) c
            ) r
            order by position`)
          for (const [index, each] of reaches.entries()) {
            for (const [flags, known] of cases) {
              const counted = choosePath(flags, reachOf(classes[index] as ReachClass), known)
              expect(counted).toEqual(choosePath(flags, each, known))
            }
          }
        },
      ),
      { numRuns: 40 },
    )
  })
})
