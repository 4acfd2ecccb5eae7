import { checker, getCampaign } from '@peyk/contract'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Context } from '#base/context.ts'
import { createCampaign } from '../../campaigns/create-campaign.ts'
import { addInstallation } from '../../messages/installation-rows.test-support.ts'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { sendToUsers } from '../../messages/send/send-to-users.ts'
import { deleteUser } from '../../privacy/delete-user.ts'
import { cancelMessage } from '../control/cancel-message.ts'
import { advanceDeliveries, type DeliveryStep } from '../progress/advance-deliveries.ts'
import { addMessageTo } from '../progress/counters.test-support.ts'
import { moveCountersToCampaigns } from '../progress/move-counters-to-campaigns.ts'
import { getCampaignCounts } from './get-campaign-counts.ts'
import { getMessage } from './get-message.ts'

const store = await createTestStore()

async function advance(ctx: Context, messageId: string, numbers: number[], step: Partial<DeliveryStep>) {
  await store.transaction((tx) =>
    advanceDeliveries(
      tx,
      numbers.map((installationNo) => ({
        appId: ctx.app.id,
        messageId,
        installationNo,
        at: ctx.now(),
        state: 'sent',
        ...step,
      })),
    ),
  )
}
const upTo = (count: number, from = 1) => Array.from({ length: count }, (_, index) => index + from)

test('a campaign has the sums of its messages, to many and to few, done and waiting', async () => {
  const [ctx, other] = [await createTestApp(store), await createTestApp(store)]
  for (const each of [ctx, other]) await createCampaign(each, { trackId: 'sale' })
  const many = await addMessageTo(ctx, 50, { trackId: 'sale' })
  await advance(ctx, many, upTo(40), {})
  await advance(ctx, many, upTo(10), { state: 'opened' })
  await advance(ctx, many, upTo(10, 41), { state: 'ended', reason: 'gone' })
  const few = await addMessageTo(ctx, 3, { trackId: 'sale' })
  await advance(ctx, few, [1, 2], { state: 'shown' })
  await advance(ctx, await addMessageTo(ctx, 5, { trackId: 'other' }), [1], { state: 'shown' })
  for (const user of ['sara', 'omid']) await addInstallation(ctx, user)
  const cancelled = await sendByQuery(ctx, { target: {}, content: 'x', trackId: 'sale' })
  await cancelMessage(ctx, cancelled)
  await sendToUsers(ctx, { user: 'sara', content: 'x', trackId: 'sale' })

  const counts = await getCampaignCounts(ctx, { trackId: 'sale' })
  expect(checker(getCampaign.answer)(counts).fault).toBeUndefined()
  expect(counts).toMatchObject({ trackId: 'sale', messages: 4, count: 56 })
  expect(counts.states).toEqual({
    queued: 1,
    sent: 42,
    delivered: 12,
    shown: 12,
    opened: 10,
    acted: 0,
    dismissed: 0,
    ended: 12,
  })
  expect(counts.reasons).toMatchObject({ gone: 10, cancelled: 2 })
  expect(counts.influenced).toEqual({ events: 0, directEvents: 0, revenue: {} })
  expect(await getCampaignCounts(other, { trackId: 'sale' })).toMatchObject({ messages: 0, count: 0 })
  await expect(getCampaignCounts(ctx, { trackId: 'none' })).rejects.toMatchObject({ code: 'unknown-campaign' })
})

test('a campaign’s counts stay the same when its messages go', async () => {
  const ctx = await createTestApp(store)
  await createCampaign(ctx, { trackId: 'sale' })
  const many = await addMessageTo(ctx, 50, { trackId: 'sale' })
  await advance(ctx, many, upTo(40), {})
  await advance(ctx, await addMessageTo(ctx, 3, { trackId: 'sale' }), [1, 2], { state: 'ended', reason: 'refused' })
  await addInstallation(ctx, 'sara')
  await cancelMessage(ctx, await sendByQuery(ctx, { target: {}, content: 'x', trackId: 'sale' }))
  const { lastMessageAt: _, ...before } = await getCampaignCounts(ctx, { trackId: 'sale' })
  const ids = await store.query<{ id: string }>(sql`select id from messages where app_id = ${ctx.app.id} order by id`)
  for (const { id } of ids) {
    await store.transaction(async (tx) => {
      await moveCountersToCampaigns(tx, { appId: ctx.app.id, which: sql`m.id = ${id}` })
      await tx.query(sql`delete from messages where app_id = ${ctx.app.id} and id = ${id}`)
    })
    expect(await getCampaignCounts(ctx, { trackId: 'sale' })).toMatchObject(before)
  }
  expect(await store.query(sql`select from delivery_counters where app_id = ${ctx.app.id}`)).toEqual([])
})

test('what was counted stays counted when a user is forgotten', async () => {
  const ctx = await createTestApp(store)
  await createCampaign(ctx, { trackId: 'sale' })
  const [sara, omid] = [await addInstallation(ctx, 'sara'), await addInstallation(ctx, 'omid')]
  const many = await addMessageTo(ctx, 25, { trackId: 'sale' })
  const few = await addMessageTo(ctx, 2, { trackId: 'sale' })
  for (const id of [many, few]) await advance(ctx, id, [sara.installationNo, omid.installationNo], { state: 'opened' })
  await sendToUsers(ctx, { user: 'sara', content: 'x', trackId: 'sale' })
  const own = await sendToUsers(ctx, { user: 'sara', content: 'x', trackId: 'sale' })
  await advance(ctx, (own as { id: string }).id, [sara.installationNo], { state: 'shown' })
  await store.query(sql`delete from delivery_batches where app_id = ${ctx.app.id}`)
  const before = await getCampaignCounts(ctx, { trackId: 'sale' })
  await deleteUser(ctx, { userId: 'sara' })
  for (const id of [many, few]) expect((await getMessage(ctx, { id })).states).toMatchObject({ sent: 2, opened: 2 })
  expect(await getCampaignCounts(ctx, { trackId: 'sale' })).toMatchObject({
    messages: before.messages,
    count: before.count,
    states: before.states,
  })
  const rows = await store.query(sql`select from deliveries where app_id = ${ctx.app.id}`)
  expect(rows).toHaveLength(2)
})
