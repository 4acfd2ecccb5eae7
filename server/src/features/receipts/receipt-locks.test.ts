import { randomUUID } from 'node:crypto'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { limits } from '#base/config.ts'
import { hashBody, runOnce } from '#base/idempotency/idempotency.ts'
import type { Store } from '#base/store/store.ts'
import { addDeliveries, addInstallation } from '../events/events.test-support.ts'
import { addMessage, readReceipts } from './receipts.test-support.ts'
import { recordClientBatch } from './record-client-batch.ts'
import { recordReceipts } from './record-receipts.ts'

/** The store follows what is locked when, and fails the file for a lock against the order. */
const store = await createTestStore()

test('a receipt is stored after its delivery is locked, as an acknowledgement is', async () => {
  const ctx = await createTestApp(store)
  const phone = await addInstallation(ctx, 'sara')
  const messageId = await addMessage(ctx, ['sara'])
  await addDeliveries(ctx, messageId, [phone])
  let attempts = 0
  const counting: Store = {
    ...store,
    transaction: (work) =>
      store.transaction((tx) => {
        attempts++
        return work(tx)
      }),
  }
  const receipts = [{ messageId, kind: 'delivered' as const, actionId: '', happenedAt: ctx.now() }]
  const { recorded } = await store.transaction(async (tx) => {
    await tx.query(sql`select from deliveries where app_id = ${ctx.app.id} for update`)
    const recorded = recordReceipts({ ...ctx, store: counting }, { installationId: phone.id, receipts })
    await poll(isWaiting).toBe(true)
    // Who has locked the delivery stores its receipt without having to wait.
    await tx.query(sql`
      insert into receipts (app_id, message_id, installation_no, kind, happened_at, received_at)
      values (${ctx.app.id}, ${messageId}, ${phone.no}, 'delivered', now(), now())`)
    return { recorded }
  })
  expect(await recorded).toEqual({ count: 1, ignored: 0 })
  expect(attempts).toBe(1)
  expect(await readReceipts(ctx)).toHaveLength(1)

  async function isWaiting() {
    const rows = await store.query(sql`
      select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`)
    return rows.length > 0
  }
})

test('a long batch with a key is stored at once, so that it locks in the order of all', async () => {
  const ctx = await createTestApp(store)
  const phone = await addInstallation(ctx, 'sara')
  const messageId = await addMessage(ctx, ['sara'])
  const count = limits.eventsPerRequest + 1
  const eventData = [
    ...Array.from({ length: count }, () => ({ type: 2, data: { id: randomUUID(), eventName: 'Tap' } })),
    { type: 1, actionType: 'OPENED', msgId: messageId },
  ]
  const request = { route: 'POST /events', key: 'long', bodyHash: hashBody('') }
  const { answer } = await runOnce(ctx, request, (inner) =>
    recordClientBatch(inner, { installationId: phone.id, eventData }),
  )
  expect(answer).toMatchObject({ n: count + 1, skipped: 0 })
})
