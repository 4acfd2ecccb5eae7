import { type Cap, capWindowMs } from '@peyk/contract'
import { addDevices, createDelivery } from '@peyk/test/delivery.ts'
import { isThorough } from '@peyk/test/runner/effort.ts'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { nextId } from '#base/ids.ts'
import { type CapState, decideCap, free, type Use } from './cap.ts'
import { reserveHandOvers } from './reserve-hand-overs.ts'

const { providers, store, createApp } = await createDelivery()
const MINUTE = 60_000
const start = Date.parse('2026-03-01T12:00:00Z')

const categories = ['news', 'orders', 'offers']
const category = fc.constantFrom(...categories)
const caps = fc.array(
  fc.record(
    {
      count: fc.integer({ min: 1, max: 3 }),
      window: fc.constantFrom<Cap['window']>('1h', '2h', '1d'),
      categories: fc.uniqueArray(category, { minLength: 1, maxLength: 2 }),
    },
    { requiredKeys: ['count', 'window'] },
  ),
  { minLength: 1, maxLength: 3 },
) as fc.Arbitrary<Cap[]>
/** Also backwards: the clocks of two processes are never quite the same. */
const turns = fc.array(
  fc.record({
    minutes: fc.integer({ min: -1, max: 45 }),
    wanted: fc.array(fc.record({ message: fc.integer({ min: 0, max: 2 }), users: fc.subarray([0, 1, 2]) }), {
      minLength: 1,
      maxLength: 3,
    }),
  }),
  { minLength: 1, maxLength: 14 },
)

it('counts as the rule says, whatever was counted before', async () => {
  const ctx = await createApp()
  await addDevices(ctx, providers, 'fcm', 3)
  const rows = await store.query<{ user_no: number }>(sql`
    select user_no from installations where app_id = ${ctx.app.id} order by user_no`)
  const userNos = rows.map((row) => row.user_no)
  expect(userNos).toHaveLength(3)
  await fc.assert(
    fc.asyncProperty(caps, turns, async (limits, course) => {
      await store.query(sql`delete from recent_hand_overs where app_id = ${ctx.app.id}`)
      const had = new Map<number, Use[]>(userNos.map((userNo) => [userNo, []]))
      let atMs = start
      let messages: { messageId: string; category: string }[] = []
      for (const [turn, { minutes, wanted }] of course.entries()) {
        atMs += minutes * MINUTE
        // Each is handed over within two turns, and so while the shortest window lasts.
        if (turn % 2 === 0) messages = categories.map((name) => ({ messageId: nextId(ctx.now), category: name }))
        const asked = wanted.map(({ message, users }) => ({
          ...(messages[message] as (typeof messages)[number]),
          userNos: users.map((index) => userNos[index] as number),
        }))
        const states = await reserveHandOvers(store, {
          appId: ctx.app.id,
          caps: limits,
          at: new Date(atMs),
          wanted: asked,
        })
        for (const [index, { messageId, category, userNos: own }] of asked.entries()) {
          const isCounted = limits.some(({ categories }) => categories?.includes(category) ?? true)
          for (const userNo of own) {
            const state = isCounted
              ? expectState(had.get(userNo) as Use[], limits, { messageId, category, atMs })
              : free
            expect(withoutOrder(states[index]?.get(userNo) ?? free)).toEqual(withoutOrder(state))
          }
        }
      }
    }),
    { numRuns: isThorough ? 100 : 15 },
  )
})

function withoutOrder(state: CapState): object {
  return state.kind === 'full' ? { ...state, by: state.by.toSorted() } : { isFree: true }
}

/** By the rule alone, on all that was ever handed over and is within a window; adds it where it goes. */
function expectState(uses: Use[], limits: readonly Cap[], use: Use): CapState {
  const longest = Math.max(...limits.map(capWindowMs))
  const young = uses.filter(({ atMs }) => atMs > use.atMs - longest).toSorted((one, other) => one.atMs - other.atMs)
  const state = decideCap(young, limits, use)
  if (state === free) uses.push(use)
  return state
}
