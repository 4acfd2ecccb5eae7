import { randomUUID } from 'node:crypto'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { limits } from '#base/config.ts'
import { advanceDeliveries } from '../deliveries/progress/advance-deliveries.ts'
import { addMessageTo, countRows, readCounters } from '../deliveries/progress/counters.test-support.ts'
import { getMessage } from '../deliveries/read/get-message.ts'
import { addInstallation, giveInstallation } from '../events/events.test-support.ts'
import { type Receipt, type ReceiptKind, receiptKinds } from './receipt.ts'
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

test('of one delivery so many actions are kept', async () => {
  const ctx = await createTestApp(store)
  const phone = await addInstallation(ctx, 'sara')
  const id = await addMessage(ctx, ['sara'])
  const act = (from: number, count: number) =>
    recordReceipts(ctx, {
      installationId: phone.id,
      receipts: Array.from({ length: count }, (_, index) => receipt(id, 'acted', `action-${from + index}`)),
    })
  await act(0, limits.actionsPerDelivery - 5)
  await act(limits.actionsPerDelivery - 10, 500)
  await act(1_000, 100)
  expect(await act(0, 1)).toEqual({ count: 1, ignored: 0 })
  const kept = await readReceipts(ctx)
  expect(kept.length).toBeGreaterThanOrEqual(limits.actionsPerDelivery - 5)
  expect(kept.length).toBeLessThanOrEqual(limits.actionsPerDelivery)
  const { actions } = await getMessage(ctx, { id })
  expect(Object.keys(actions)).toHaveLength(kept.length)
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

test.each([1, 20])('what strangers report of a message to a group of %d changes nothing', async (recipients) => {
  const ctx = await createTestApp(store)
  const addPhones = (name: string, length: number) =>
    Promise.all(Array.from({ length }, (_, index) => addInstallation(ctx, `${name}-${index}`)))
  const phones = await addPhones('user', recipients)
  const id = await addMessageTo(ctx, recipients, { trackId: 'sale', sentTo: phones.map(({ no }) => no) })
  const strangers = await addPhones('stranger', 50)
  const reports = receiptKinds.map((kind) => ({
    ...receipt(id, kind, kind === 'acted' ? 'buy' : ''),
    happenedAt: ctx.now(),
  }))
  const report = (each: { id: string }) => recordReceipts(ctx, { installationId: each.id, receipts: reports })
  const answers = await Promise.all(strangers.map(report))
  expect(answers).toEqual(strangers.map(() => ({ count: 0, ignored: reports.length })))
  expect(await readReceipts(ctx)).toEqual([])
  expect(await readStates(ctx)).toEqual([])
  await Promise.all([...phones, ...strangers].flatMap((each) => [report(each), report(each)]))
  const message = await getMessage(ctx, { id })
  expect(message.states).toMatchObject({ delivered: recipients, opened: recipients, ended: 0 })
  expect(message.actions).toEqual({ buy: recipients })
  expect(await readCounters(ctx, id)).toEqual(recipients < 20 ? {} : { opened: recipients })
  const days = await store.query(sql`select sum(opened)::int as opened from delivery_days where app_id = ${ctx.app.id}`)
  expect(days).toEqual([{ opened: recipients }])
  expect(await store.query(sql`select from influence_windows where app_id = ${ctx.app.id}`)).toHaveLength(recipients)
})

test('a device that logs in as the user when the message was accepted already reports nothing of it', async () => {
  const ctx = await createTestApp(store)
  const [phone, stranger] = [await addInstallation(ctx, 'sara'), await addInstallation(ctx, 'omid')]
  const id = await addMessage(ctx, ['sara'])
  await giveInstallation(ctx, stranger.id, 'sara', false)
  const late = await addInstallation(ctx, 'sara')
  for (const each of [stranger, late]) {
    const receipts = [receipt(id, 'opened'), receipt(id, 'acted', 'x')]
    expect(await recordReceipts(ctx, { installationId: each.id, receipts })).toEqual({ count: 0, ignored: 2 })
  }
  expect(await readStates(ctx)).toEqual([])
  await recordReceipts(ctx, { installationId: phone.id, receipts: [receipt(id, 'shown')] })
  expect(await readStates(ctx)).toEqual(['shown'])
})

test('who is outside the channel, or whose batch nobody has taken up, was not sent it', async () => {
  const ctx = await createTestApp(store)
  const [external, waiting] = [await addInstallation(ctx, 'sara'), await addInstallation(ctx, 'omid')]
  const id = await addMessageTo(ctx, 1)
  await store.query(sql`
    insert into deliveries (app_id, message_id, installation_no, state, reason)
    values (${ctx.app.id}, ${id}, ${external.no}, 'ended', 'not-in-channel')`)
  await store.query(sql`
    insert into delivery_batches (app_id, message_id, lane, stream, installation_nos)
    values (${ctx.app.id}, ${id}, 'group', 'fcm', ${[waiting.no]}::bigint[]), (${ctx.app.id}, ${id}, 'group', 'expand', null)`)
  for (const each of [external, waiting]) {
    const receipts = [receipt(id, 'acted', 'x')]
    expect(await recordReceipts(ctx, { installationId: each.id, receipts })).toEqual({ count: 0, ignored: 1 })
  }
  expect((await getMessage(ctx, { id })).actions).toEqual({})
})

test('a receipt that is faster than the commit counts, and what follows finds it', async () => {
  const ctx = await createTestApp(store)
  const phones = await Promise.all(Array.from({ length: 20 }, (_, index) => addInstallation(ctx, `user-${index}`)))
  const id = await addMessageTo(ctx, 20, { sentTo: phones.map(({ no }) => no) })
  const report = () =>
    Promise.all(
      phones.map((each) => recordReceipts(ctx, { installationId: each.id, receipts: [receipt(id, 'opened')] })),
    )
  const sent = { appId: ctx.app.id, messageId: id, state: 'sent', provider: 'fcm', at: ctx.now() } as const
  const settle = () =>
    store.transaction(async (tx) => {
      await tx.query(sql`delete from delivery_batches where app_id = ${ctx.app.id} and message_id = ${id}`)
      await advanceDeliveries(
        tx,
        phones.map(({ no }) => ({ ...sent, installationNo: no, recipients: 20 })),
      )
    })
  const [answers] = await Promise.all([report(), settle(), report()])
  expect(answers).toEqual(phones.map(() => ({ count: 1, ignored: 0 })))
  await report()
  expect(await countRows(ctx, id)).toEqual({ opened: 20 })
  expect(await readCounters(ctx, id)).toEqual({ opened: 20 })
  expect(await store.query(sql`select from deliveries where app_id = ${ctx.app.id} and sent_at is null`)).toEqual([])
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
  const phones = await Promise.all(Array.from({ length: 40 }, (_, index) => addInstallation(ctx, `user-${index}`)))
  const id = await addMessage(ctx)
  const kinds: ReceiptKind[] = ['opened', 'delivered', 'shown']
  await Promise.all(
    phones.flatMap((phone) =>
      kinds.map((kind) => recordReceipts(ctx, { installationId: phone.id, receipts: [receipt(id, kind)] })),
    ),
  )
  expect(await readReceipts(ctx)).toHaveLength(120)
  expect(await readStates(ctx)).toEqual(Array(40).fill('opened'))
})
