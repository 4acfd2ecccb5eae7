import { randomUUID } from 'node:crypto'
import { checker, clientEvents } from '@peyk/contract'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { addInstallation, readEvents, tickingClock } from '../events/events.test-support.ts'
import { addMessage, readReceipts, readStates } from './receipts.test-support.ts'
import { recordClientBatch } from './record-client-batch.ts'

const store = await createTestStore()
const at = Date.UTC(2026, 9, 1)

test('events and receipts of a batch are stored, and a repeated batch changes nothing', async () => {
  const ctx = await createTestApp(store, { at: tickingClock() })
  const phone = await addInstallation(ctx, 'sara')
  const msgId = await addMessage(ctx, ['sara'])
  const batch = {
    userId: 'sara',
    installationId: phone.id,
    deviceType: 'web',
    sessionId: 's1',
    createdAt: at,
    eventData: [
      { type: 2, data: { id: 'e1', eventName: 'Open', createdAt: at, data: [] } },
      { type: 1, actionType: 'SHOWN', msgId, trackId: 't', actionTs: at },
      { type: '2', data: { id: 'e2', eventName: 'Buy', createdAt: 'any string', data: { isRevenue: true, value: 3 } } },
      { type: 1, actionType: 'ACTION_TAKEN', msgId, actionTs: at + 1, actionId: 'yes' },
    ],
  }
  for (let times = 0; times < 3; times++) {
    expect(await recordClientBatch(ctx, batch)).toEqual({ queued: true, n: 4, skipped: 0 })
  }
  expect(await readEvents(ctx)).toMatchObject([
    { name: 'Open', event_at: new Date(at), data: null },
    { name: 'Buy', event_at: new Date(at), revenue: 3 },
  ])
  expect((await readReceipts(ctx)).map(({ kind }) => kind)).toEqual(['shown', 'acted'])
  expect(await readStates(ctx)).toEqual(['acted'])
})

test('what cannot be read is skipped and counted, and the rest is stored', async () => {
  const ctx = await createTestApp(store)
  const phone = await addInstallation(ctx, 'sara')
  const eventData = [
    { type: 3 },
    { type: { toString: null } },
    { type: 2 },
    { type: 2, data: { eventName: 5 } },
    { type: 1, actionType: 'SEEN', msgId: randomUUID() },
    { type: 1, actionType: 'SHOWN', msgId: randomUUID() },
    'text',
    null,
    { type: 2, data: { id: 1, eventName: 'Open', data: { deep: { er: 1 } } } },
  ]
  const answer = await recordClientBatch(ctx, { installationId: phone.id, eventData })
  expect(answer).toEqual({ queued: true, n: 1, skipped: 8, warnings: [expect.stringContaining('"deep"')] })
  expect(await readEvents(ctx)).toHaveLength(1)
})

test('an unknown installation is not found, whatever the batch holds', async () => {
  const [ctx, other] = [await createTestApp(store), await createTestApp(store)]
  const foreign = await addInstallation(other, 'sara')
  const event = { type: 2, data: { eventName: 'Open' } }
  const receipt = { type: 1, actionType: 'SHOWN', msgId: randomUUID() }
  for (const installationId of [randomUUID(), foreign.id, 'x']) {
    for (const eventData of [[], [event], [receipt], ['broken']]) {
      await expect(recordClientBatch(ctx, { installationId, eventData })).rejects.toMatchObject({ status: 404 })
    }
  }
})

test('a batch of thousands of elements is stored in parts', async () => {
  const ctx = await createTestApp(store)
  const phone = await addInstallation(ctx, 'sara')
  const eventData = Array.from({ length: 2500 }, (_, id) => ({ type: 2, data: { id, eventName: 'Open' } }))
  expect(await recordClientBatch(ctx, { installationId: phone.id, eventData })).toEqual({
    queued: true,
    n: 2500,
    skipped: 0,
  })
  const [row] = await store.query(sql`select count(*) from events where app_id = ${ctx.app.id}`)
  expect(row).toEqual({ count: 2500 })
})

test('with an idempotency key all of it belongs to one transaction', async () => {
  const ctx = await createTestApp(store)
  const phone = await addInstallation(ctx, 'sara')
  const msgId = await addMessage(ctx)
  const eventData = [
    { type: 2, data: { id: 'e1', eventName: 'Open' } },
    { type: 1, actionType: 'OPENED', msgId },
  ]
  const failed = store.transaction(async (tx) => {
    await recordClientBatch({ ...ctx, tx }, { installationId: phone.id, eventData })
    throw new Error('rolled back')
  })
  await expect(failed).rejects.toThrow('rolled back')
  expect([await readEvents(ctx), await readReceipts(ctx)]).toEqual([[], []])
  expect(await recordClientBatch(ctx, { installationId: phone.id, eventData })).toMatchObject({ n: 2 })
})

test('any elements at all are answered, with as many stored and skipped as came', async () => {
  const ctx = await createTestApp(store)
  const phone = await addInstallation(ctx, 'sara')
  const msgId = await addMessage(ctx)
  const check = checker(clientEvents.body as NonNullable<typeof clientEvents.body>)
  const element = fc.oneof(
    fc.jsonValue(),
    fc.record({ type: fc.oneof(fc.constantFrom(1, 2), fc.jsonValue()), data: fc.jsonValue() }),
    fc.record({
      type: fc.constant(1),
      actionType: fc.oneof(fc.constantFrom('SHOWN', 'OPENED', 'ACTION_TAKEN'), fc.jsonValue()),
      msgId: fc.oneof(fc.constant(msgId), fc.jsonValue()),
      actionTs: fc.jsonValue(),
      actionId: fc.jsonValue(),
    }),
  )
  const storable = (value: unknown) => !JSON.stringify(value)?.includes('\\u')
  await fc.assert(
    fc.asyncProperty(
      fc.array(element.filter(storable), { maxLength: 6 }),
      fc.jsonValue(),
      async (eventData, createdAt) => {
        const checked = check({
          installationId: phone.id,
          userId: createdAt,
          createdAt,
          eventData: structuredClone(eventData),
        })
        if (checked.fault) throw new Error(checked.fault.message)
        const answer = await recordClientBatch(ctx, checked.value as Parameters<typeof recordClientBatch>[1])
        expect(answer.n + answer.skipped).toBe(eventData.length)
      },
    ),
    { numRuns: 100 },
  )
})
