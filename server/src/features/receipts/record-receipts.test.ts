import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { createTestApp, createTestStore } from '../../../../test/helpers/test-store.ts'
import { addInstallation, giveInstallation } from '../events/events.test-support.ts'
import type { Receipt, ReceiptKind } from './receipt.ts'
import { addMessage, readReceipts, readStates } from './receipts.test-support.ts'
import { recordReceipts } from './record-receipts.ts'

const store = await createTestStore()
const happenedAt = new Date(Date.UTC(2026, 10, 1))

function receipt(messageId: string, kind: ReceiptKind, actionId = ''): Receipt {
  return { messageId, kind, actionId, happenedAt }
}

test('receipts are stored once and move the delivery forward', async () => {
  const ctx = await createTestApp(store)
  const phone = await addInstallation(ctx, 'sara')
  const id = await addMessage(ctx, ['sara'])
  const send = (...receipts: Receipt[]) => recordReceipts(ctx, { installationId: phone.id, receipts })
  expect(await send(receipt(id, 'shown'), receipt(id, 'shown'))).toEqual({ count: 2, ignored: 0 })
  expect(await readStates(ctx)).toEqual(['shown'])
  await send(receipt(id, 'acted', 'reply'), receipt(id, 'acted', 'like'), receipt(id, 'delivered'))
  await send(receipt(id, 'shown'))
  expect(await readStates(ctx)).toEqual(['acted'])
  expect((await readReceipts(ctx)).map(({ kind, action_id }) => `${kind} ${action_id}`).toSorted()).toEqual([
    'acted like',
    'acted reply',
    'delivered ',
    'shown ',
  ])
})

test('a receipt that comes again keeps its first time', async () => {
  const ctx = await createTestApp(store)
  const phone = await addInstallation(ctx, 'sara')
  const id = await addMessage(ctx, ['sara'])
  for (const at of [happenedAt, new Date(Number(happenedAt) + 5000)]) {
    await recordReceipts(ctx, { installationId: phone.id, receipts: [{ ...receipt(id, 'shown'), happenedAt: at }] })
  }
  expect(await readReceipts(ctx)).toMatchObject([{ happened_at: happenedAt }])
})

test('messages that are not there, are another app’s or went to others are ignored', async () => {
  const [ctx, other] = [await createTestApp(store), await createTestApp(store)]
  const phone = await addInstallation(ctx, 'sara')
  await addInstallation(other, 'sara')
  const messages = [
    randomUUID(),
    await addMessage(other, ['sara']),
    await addMessage(ctx, ['omid']),
    await addMessage(ctx, ['sara']),
  ]
  const receipts = messages.map((id) => receipt(id, 'shown'))
  expect(await recordReceipts(ctx, { installationId: phone.id, receipts })).toEqual({ count: 1, ignored: 3 })
  expect((await readReceipts(ctx)).map(({ message_id }) => message_id)).toEqual([messages[3]])
  expect(await readReceipts(other)).toEqual([])
  expect(await readStates(other)).toEqual([])
})

test('a message to a group may have gone to any installation', async () => {
  const ctx = await createTestApp(store)
  const phone = await addInstallation(ctx, 'sara')
  const id = await addMessage(ctx)
  expect(await recordReceipts(ctx, { installationId: phone.id, receipts: [receipt(id, 'opened')] })).toMatchObject({
    count: 1,
  })
})

test('a device that was logged out, or has a delivery, may still report', async () => {
  const ctx = await createTestApp(store)
  const [phone, tablet] = [await addInstallation(ctx, 'sara'), await addInstallation(ctx, 'sara')]
  const id = await addMessage(ctx, ['sara'])
  await giveInstallation(ctx, phone.id, 'guest-1', true)
  await giveInstallation(ctx, tablet.id, 'omid', false)
  await store.query(sql`
    insert into deliveries (app_id, message_id, installation_no, state) values (${ctx.app.id}, ${id}, ${tablet.no}, 'sent')`)
  for (const { id: installationId } of [phone, tablet]) {
    expect(await recordReceipts(ctx, { installationId, receipts: [receipt(id, 'opened')] })).toMatchObject({ count: 1 })
  }
  expect(await readStates(ctx)).toEqual(['opened', 'opened'])
})

test('an unknown installation is not found, and its neighbours in the batch are stored', async () => {
  const [ctx, other] = [await createTestApp(store), await createTestApp(store)]
  const phone = await addInstallation(ctx, 'sara')
  const foreign = await addInstallation(other, 'sara')
  const id = await addMessage(ctx, ['sara'])
  const results = await Promise.allSettled(
    [randomUUID(), phone.id, foreign.id, 'x'].map((installationId) =>
      recordReceipts(ctx, { installationId, receipts: [receipt(id, 'shown')] }),
    ),
  )
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'rejected'])
  expect(results.flatMap((result) => (result.status === 'rejected' ? [result.reason.status] : []))).toEqual([
    404, 404, 404,
  ])
  expect(await readReceipts(ctx)).toHaveLength(1)
})

test('concurrent receipts of many devices are all kept', async () => {
  const ctx = await createTestApp(store)
  const id = await addMessage(ctx)
  const phones = await Promise.all(Array.from({ length: 40 }, (_, index) => addInstallation(ctx, `user-${index}`)))
  const kinds: ReceiptKind[] = ['opened', 'delivered', 'shown']
  await Promise.all(
    phones.flatMap((phone) =>
      kinds.map((kind) => recordReceipts(ctx, { installationId: phone.id, receipts: [receipt(id, kind)] })),
    ),
  )
  expect(await readReceipts(ctx)).toHaveLength(120)
  expect(await readStates(ctx)).toEqual(Array(40).fill('opened'))
})
