import { createTestApp, createTestStore, silentLog } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { advanceDeliveries } from './advance-deliveries.ts'
import { compactCounters } from './compact-counters.ts'
import { addMessageTo, countRows, readCounters } from './counters.test-support.ts'

const store = await createTestStore()
const start = Date.UTC(2026, 10, 15)

test('the counters of a quiet message come into one slot, and go on from there', async () => {
  const ctx = await createTestApp(store, { at: () => new Date(start) })
  const id = await addMessageTo(ctx, 5_000)
  const advance = (from: number, state: 'sent' | 'opened') =>
    store.transaction((tx) =>
      advanceDeliveries(
        tx,
        Array.from({ length: 60 }, (_, index) => ({
          appId: ctx.app.id,
          messageId: id,
          installationNo: from + index,
          state,
          at: ctx.now(),
        })),
      ),
    )
  const slots = () =>
    store.query(sql`
      select slot, state, count from delivery_counters where app_id = ${ctx.app.id} and message_id = ${id} order by slot, state`)
  for (let part = 0; part < 10; part++) await advance(part * 100, 'sent')
  await advance(0, 'opened')
  const compact = (minutes: number) =>
    compactCounters({ store, log: silentLog, now: () => new Date(start + minutes * 60_000) })
  const before = await slots()
  await compact(29)
  expect(await slots()).toEqual(before)
  await Promise.all([compact(31), compact(31), advance(100, 'opened')])
  await compact(31)
  expect(await slots()).toEqual([
    { slot: 0, state: 'opened', count: 120 },
    { slot: 0, state: 'sent', count: 480 },
  ])
  await advance(200, 'opened')
  expect(await readCounters(ctx, id)).toEqual(await countRows(ctx, id))
})
