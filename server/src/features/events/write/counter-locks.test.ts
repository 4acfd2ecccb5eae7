import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { hashBody, runOnce } from '#base/idempotency/idempotency.ts'
import { addInstallation } from '../events.test-support.ts'
import { trackEvent } from '../track/track-event.ts'

const store = await createTestStore()

async function isWaiting(): Promise<boolean> {
  const rows = await store.query(sql`
    select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`)
  return rows.length > 0
}

/** Rows of the table that nobody has locked. */
async function countFree(ctx: Context, table: 'event_counters' | 'user_event_counters'): Promise<number> {
  const statement =
    table === 'event_counters'
      ? sql`select from event_counters where app_id = ${ctx.app.id} for update skip locked`
      : sql`select from user_event_counters where app_id = ${ctx.app.id} for update skip locked`
  return (await store.query(statement)).length
}

const keyed = (ctx: Context, userId: string) =>
  runOnce(ctx, { route: 'POST /track', key: userId, bodyHash: hashBody('') }, (inner) =>
    trackEvent(inner, { userId, eventName: 'Open' }),
  )

it.each([
  ['a single event', 'event_counters', (ctx: Context) => trackEvent(ctx, { userId: 'sara', eventName: 'Open' })],
  ['an event with a key', 'event_counters', (ctx: Context) => keyed(ctx, 'sara')],
  ['an event of a user without a device', 'user_event_counters', (ctx: Context) => keyed(ctx, 'lead')],
] as const)('%s locks its counters before the counts of its day', async (_, table, track) => {
  const ctx = await createTestApp(store)
  await addInstallation(ctx, 'sara')
  for (const userId of ['sara', 'lead']) await trackEvent(ctx, { userId, eventName: 'Open' })
  const { tracked } = await store.transaction(async (tx) => {
    await tx.query(sql`select from event_days where app_id = ${ctx.app.id} for update`)
    const tracked = track(ctx)
    await poll(isWaiting).toBe(true)
    expect(await countFree(ctx, table)).toBe(0)
    return { tracked }
  })
  await tracked
})

it('keyed and single events of one user never wait for each other in a circle', async () => {
  const ctx = await createTestApp(store)
  await addInstallation(ctx, 'sara')
  let conflicts = 0
  const counting: Context = {
    ...ctx,
    store: {
      ...store,
      transaction: (work) =>
        store.transaction((tx) =>
          work(tx).catch((error) => {
            if (error.code === '40P01') conflicts++
            throw error
          }),
        ),
    },
  }
  const names = ['Open', 'Close', 'Buy']
  await Promise.all(
    Array.from({ length: 120 }, async (_, index) => {
      const event = { userId: 'sara', eventName: names[index % names.length] as string }
      if (index % 2 === 0) return trackEvent(ctx, event)
      const request = { route: 'POST /track', key: `mixed-${index}`, bodyHash: hashBody('') }
      return runOnce(counting, request, (inner) => trackEvent(inner, event))
    }),
  )
  expect(conflicts).toBe(0)
  const [row] = await store.query(sql`select sum(count) as count from event_counters where app_id = ${ctx.app.id}`)
  expect(row).toEqual({ count: 120 })
})
