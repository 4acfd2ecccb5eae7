import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { listenTo, readOutbox } from '@peyk/test/outbox.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Context } from '#base/context.ts'
import { advanceDeliveries, type DeliveryStep } from '../deliveries/progress/advance-deliveries.ts'
import { addMessageTo, countRows, readCounters } from '../deliveries/progress/counters.test-support.ts'
import { addInstallation } from '../events/events.test-support.ts'
import { mayInterest } from '../outbox/outbox.ts'
import { acknowledgeMessage } from './acknowledge-message.ts'
import { recordReceipts } from './record-receipts.ts'

const store = await createTestStore()

type Place = Pick<DeliveryStep, 'state' | 'reason' | 'provider' | 'detail' | 'inInbox'>
const waiting: Place = { state: 'queued', provider: 'connection', inInbox: true, detail: 'it is connected' }

/** As the dispatcher left it for each of these devices, in this order. */
async function leave(ctx: Context, messageId: string, places: [number, Place][]): Promise<void> {
  const steps = places.map(([installationNo, place]) => ({
    appId: ctx.app.id,
    messageId,
    installationNo,
    at: ctx.now(),
    ...place,
  }))
  await store.transaction((tx) => advanceDeliveries(tx, steps))
}

const acknowledge = (ctx: Context, phone: { id: string; no: number }, messageId: string) =>
  acknowledgeMessage(ctx, { installationId: phone.id, installationNo: phone.no, messageId })

/** Until it is known that no webhook wants to hear of it, nothing is usual. */
const untilUsual = (ctx: Context) =>
  until(
    () => mayInterest(store, ctx.app.id, 'message.delivered'),
    (may) => !may,
  )

async function readAll(ctx: Context) {
  const app = ctx.app.id
  return {
    deliveries: await store.query(sql`
      select state, reason, provider, detail, in_inbox, sent_at is not null as has_time from deliveries
      where app_id = ${app} order by message_id, installation_no`),
    counters: await store.query(sql`
      select state, reason, sum(count)::int as count from delivery_counters where app_id = ${app}
      group by message_id, state, reason having sum(count) <> 0 order by message_id, state, reason`),
    days: await store.query(sql`
      select platform, sum(sent)::int as sent, sum(delivered)::int as delivered, sum(shown)::int as shown
      from delivery_days where app_id = ${app} group by platform order by platform`),
    receipts: await store.query(sql`
      select kind, action_id from receipts where app_id = ${app} order by message_id, installation_no, kind`),
  }
}

const places: Record<string, Place[]> = {
  'waits in the inbox': [waiting],
  'went by a provider too': [waiting, { state: 'sent', provider: 'fcm' }],
  'was shown already': [waiting, { state: 'shown' }],
  'ended in the meantime': [waiting, { state: 'ended', reason: 'expired' }],
  'is not known how it ended': [waiting, { state: 'ended', reason: 'unknown', provider: 'fcm' }],
  'is in no inbox': [{ state: 'queued', provider: 'connection' }],
}

test.each(Object.keys(places))('a message that %s is moved as any receipt would move it', async (name) => {
  const apps = await Promise.all([createTestApp(store), createTestApp(store)])
  for (const [index, ctx] of apps.entries()) {
    const phone = await addInstallation(ctx, 'sara')
    for (const recipients of [1, 20]) {
      const id = await addMessageTo(ctx, recipients)
      for (const place of places[name] ?? []) await leave(ctx, id, [[phone.no, place]])
      await untilUsual(ctx)
      for (let times = 0; times < 2; times++) {
        if (index === 0) await acknowledge(ctx, phone, id)
        else
          await recordReceipts(ctx, {
            installationId: phone.id,
            receipts: [{ messageId: id, kind: 'delivered', actionId: '', happenedAt: ctx.now() }],
          })
      }
    }
  }
  const [acknowledged, received] = await Promise.all(apps.map(readAll))
  expect(acknowledged).toEqual(received)
})

test('many at once are all stored, and counted once each', async () => {
  const ctx = await createTestApp(store)
  const phones = await Promise.all(Array.from({ length: 60 }, (_, index) => addInstallation(ctx, `user-${index}`)))
  const ids = [await addMessageTo(ctx, 60), await addMessageTo(ctx, 60)]
  for (const id of ids)
    await leave(
      ctx,
      id,
      phones.map((phone) => [phone.no, waiting]),
    )
  await untilUsual(ctx)
  const all = ids.flatMap((id) => phones.map((phone) => ({ id, phone })))
  await Promise.all([...all, ...all.toReversed()].map(({ id, phone }) => acknowledge(ctx, phone, id)))
  for (const id of ids) {
    expect(await countRows(ctx, id)).toEqual({ delivered: 60 })
    expect(await readCounters(ctx, id)).toEqual({ delivered: 60 })
  }
  const { days, receipts, deliveries } = await readAll(ctx)
  expect(days).toMatchObject([{ delivered: 120 }])
  expect(receipts).toHaveLength(120)
  expect(deliveries).toEqual(Array.from({ length: 120 }, () => expect.objectContaining({ in_inbox: false })))
})

test('a webhook that wants to know is told once', async () => {
  const ctx = await createTestApp(store)
  await listenTo(ctx)
  const phone = await addInstallation(ctx, 'sara')
  const id = await addMessageTo(ctx, 1)
  await leave(ctx, id, [[phone.no, waiting]])
  await Promise.all([acknowledge(ctx, phone, id), acknowledge(ctx, phone, id)])
  expect(mayInterest(store, ctx.app.id, 'message.delivered')).toBe(true)
  expect((await readOutbox(ctx)).map(({ kind }) => kind)).toEqual(['message.delivered'])
})

test('an SMS that waits for the message is called off', async () => {
  const ctx = await createTestApp(store)
  const phone = await addInstallation(ctx, 'sara')
  const id = await addMessageTo(ctx, 1)
  await store.query(sql`update messages set body = '{"fallback":{"policy":"NOT_RECEIVED"}}' where id = ${id}`)
  await store.query(sql`
    insert into sms_fallbacks (app_id, message_id, user_id, due_at) values (${ctx.app.id}, ${id}, 'sara', now())`)
  await leave(ctx, id, [[phone.no, waiting]])
  await acknowledge(ctx, phone, id)
  expect((await readAll(ctx)).deliveries).toMatchObject([{ state: 'delivered', in_inbox: false }])
  expect(await store.query(sql`select state from sms_fallbacks where message_id = ${id}`)).toEqual([
    { state: 'cancelled' },
  ])
})

test('an app acknowledges nothing of another', async () => {
  const [ctx, other] = [await createTestApp(store), await createTestApp(store)]
  const phone = await addInstallation(other, 'sara')
  const id = await addMessageTo(other, 1)
  await leave(other, id, [[phone.no, waiting]])
  await expect(acknowledge(ctx, phone, id)).rejects.toMatchObject({ status: 404 })
  expect((await readAll(other)).deliveries).toMatchObject([{ state: 'queued', in_inbox: true }])
})
