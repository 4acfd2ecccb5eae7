import { checker, messageById } from '@peyk/contract'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { advanceDeliveries } from '../deliveries/progress/advance-deliveries.ts'
import { addMessageTo, countRows, readCounters } from '../deliveries/progress/counters.test-support.ts'
import { getMessage } from '../deliveries/read/get-message.ts'
import { addInstallation } from '../events/events.test-support.ts'
import { trackClientEvents } from '../events/track/track-client-events.ts'
import type { Receipt, ReceiptKind } from './receipt.ts'
import { recordReceipts } from './record-receipts.ts'

const store = await createTestStore()

const receipt = (messageId: string, kind: ReceiptKind, actionId = ''): Receipt => ({
  messageId,
  kind,
  actionId,
  happenedAt: new Date(Date.UTC(2026, 10, 1)),
})

test.each([1, 20])(
  'a message to %d shows what its receipts say: states, actions, what followed',
  async (recipients) => {
    const ctx = await createTestApp(store)
    const phones = await Promise.all(['a', 'b', 'c'].map((user) => addInstallation(ctx, user)))
    const id = await addMessageTo(ctx, recipients)
    await store.transaction((tx) =>
      advanceDeliveries(
        tx,
        phones.map((phone, index) => ({
          appId: ctx.app.id,
          messageId: id,
          installationNo: phone.no,
          at: ctx.now(),
          ...(index === 2
            ? { state: 'ended' as const, reason: 'unknown' as const }
            : { state: 'sent' as const, provider: 'fcm' }),
        })),
      ),
    )
    const report = (phone: number, ...receipts: Receipt[]) =>
      recordReceipts(ctx, { installationId: phones[phone]?.id as string, receipts })
    for (let times = 0; times < 2; times++) {
      await report(0, receipt(id, 'shown'), receipt(id, 'acted', 'reply'), receipt(id, 'acted', 'like'))
      await report(1, receipt(id, 'acted', 'reply'), receipt(id, 'acted'))
    }
    expect((await getMessage(ctx, { id })).reasons.unknown).toBe(1)
    await report(2, receipt(id, 'opened'))
    const events = [
      { id: 'e', eventName: 'Buy', data: { isRevenue: true, value: 9 }, influence: { msgId: id, direct: true } },
    ]
    await trackClientEvents(ctx, { installationId: phones[0]?.id as string, events })

    const message = await getMessage(ctx, { id })
    expect(checker(messageById.answer)(message).fault).toBeUndefined()
    expect(message.states).toMatchObject({ sent: 3, delivered: 3, shown: 3, opened: 1, acted: 2, ended: 0 })
    expect(message.reasons.unknown).toBe(0)
    expect(message.actions).toEqual({ reply: 2, like: 1, '': 1 })
    expect(message.influenced).toEqual({ events: 1, directEvents: 1, revenue: { '': 9 } })
    expect(message.progress).toMatchObject({ settled: 3, waiting: 0 })
  },
)

test('receipts of many devices at once leave counters that are equal to the rows', async () => {
  const ctx = await createTestApp(store)
  const phones = await Promise.all(Array.from({ length: 60 }, (_, index) => addInstallation(ctx, `user-${index}`)))
  const id = await addMessageTo(ctx, 60, { sentTo: phones.map(({ no }) => no) })
  const at = ctx.now()
  const sent = phones.map(({ no }) => ({
    appId: ctx.app.id,
    messageId: id,
    installationNo: no,
    state: 'sent' as const,
    provider: 'fcm',
    at,
  }))
  await Promise.all([
    ...[sent.slice(0, 30), sent.slice(30)].map((part) => store.transaction((tx) => advanceDeliveries(tx, part))),
    ...phones.flatMap((phone) =>
      (['delivered', 'opened', 'acted'] as const).map((kind) =>
        recordReceipts(ctx, { installationId: phone.id, receipts: [receipt(id, kind, kind === 'acted' ? 'go' : '')] }),
      ),
    ),
  ])
  expect(await readCounters(ctx, id)).toEqual(await countRows(ctx, id))
  const message = await getMessage(ctx, { id })
  expect(message.actions).toEqual({ go: 60 })
  expect(message.states.opened + message.states.acted).toBe(60)
  expect(await store.query(sql`select from deliveries where app_id = ${ctx.app.id} and sent_at is null`)).toEqual([])
})

test('devices that invent actions do not make the answer endless', async () => {
  const ctx = await createTestApp(store)
  const phones = await Promise.all(['sara', 'omid', 'ali'].map((userId) => addInstallation(ctx, userId)))
  const id = await addMessageTo(ctx, 3, { sentTo: phones.map(({ no }) => no) })
  for (const phone of phones) {
    const receipts = Array.from({ length: 200 }, (_, index) => receipt(id, 'acted', `action-${phone.no}-${index}`))
    await recordReceipts(ctx, { installationId: phone.id, receipts })
  }
  expect(Object.keys((await getMessage(ctx, { id })).actions)).toHaveLength(50)
})
