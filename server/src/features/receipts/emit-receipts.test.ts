import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { listenTo, readOutbox } from '@peyk/test/outbox.ts'
import sql from 'sql-template-tag'
import { beforeEach, expect, test } from 'vitest'
import type { Context } from '#base/context.ts'
import { addInstallation } from '../messages/installation-rows.test-support.ts'
import { sendToUsers } from '../messages/send/send-to-users.ts'
import { emitReceipts } from './emit-receipts.ts'
import type { ReceiptKind } from './receipt.ts'
import { recordReceipts } from './record-receipts.ts'

const store = await createTestStore()
let ctx: Context
let messageId: string
let installationId: string
beforeEach(async () => {
  ctx = await createTestApp(store)
  await listenTo(ctx)
  installationId = (await addInstallation(ctx, 'sara', { deviceType: 'ios' })).id
  const message = { user: 'sara', content: 'Hello', clientId: 'order-7', trackId: 'spring' }
  messageId = ((await sendToUsers(ctx, message)) as { id: string }).id
})

async function report(...kinds: [ReceiptKind, string?][]) {
  const receipts = kinds.map(([kind, actionId = '']) => ({ messageId, kind, actionId, happenedAt: ctx.now() }))
  await recordReceipts(ctx, { installationId, receipts })
}
const kinds = async () => (await readOutbox(ctx)).map(({ kind }) => kind)

test('each thing that a device reports is told once, with what the sender needs to know it by', async () => {
  await report(['delivered'])
  await report(['delivered'], ['shown'])
  await report(['opened'])
  await report(['opened'], ['acted', 'reply'], ['acted', 'later'], ['dismissed'])
  await report(['acted', 'reply'])
  const about = { messageId, trackId: 'spring', clientId: 'order-7', userId: 'sara', installationId, deviceType: 'ios' }
  const [first, second, ...others] = await readOutbox(ctx)
  expect([first, second]).toEqual([
    { kind: 'message.delivered', body: about },
    { kind: 'message.opened', body: about },
  ])
  expect(others).toHaveLength(3)
  expect(others).toEqual(
    expect.arrayContaining([
      { kind: 'message.action', body: { ...about, actionId: 'reply' } },
      { kind: 'message.action', body: { ...about, actionId: 'later' } },
      { kind: 'message.dismissed', body: about },
    ]),
  )
})

test('what was opened was delivered', async () => {
  await report(['opened'])
  await report(['delivered'], ['shown'])
  expect(await kinds()).toEqual(['message.delivered', 'message.opened'])
})

test('the same receipt from several requests at once is told once', async () => {
  await Promise.all(Array.from({ length: 10 }, () => report(['delivered'], ['opened'])))
  expect(await kinds()).toEqual(['message.delivered', 'message.opened'])
})

test('only what was asked for is told', async () => {
  const other = await createTestApp(store)
  await listenTo(other, ['message.action'])
  const phone = await addInstallation(other, 'sara')
  const { id } = (await sendToUsers(other, { user: 'sara', content: 'Hello' })) as { id: string }
  const receipt = { messageId: id, actionId: 'reply', happenedAt: other.now() }
  await recordReceipts(other, {
    installationId: phone.id,
    receipts: [
      { ...receipt, kind: 'delivered' },
      { ...receipt, kind: 'acted' },
    ],
  })
  expect(await readOutbox(other)).toMatchObject([{ kind: 'message.action', body: { actionId: 'reply' } }])
})

test('what a forgotten device said is not told, and nobody else is named for it', async () => {
  const other = await createTestApp(store)
  await listenTo(other)
  const receipt = { messageId, actionId: '', kind: 'opened' as const, happenedAt: ctx.now() }
  const [own] = await store.query<{ installation_no: number }>(
    sql`select installation_no from installations where app_id = ${ctx.app.id} and id = ${installationId}`,
  )
  const news = [
    { ...receipt, appId: other.app.id, installationNo: 999_999_999 },
    { ...receipt, appId: ctx.app.id, installationNo: own?.installation_no as number },
  ]
  await store.transaction((tx) => emitReceipts(tx, store, { news, moved: [], at: ctx.now() }))
  expect(await readOutbox(other)).toEqual([])
  expect(await readOutbox(ctx)).toMatchObject([{ kind: 'message.opened', body: { installationId } }])
})
