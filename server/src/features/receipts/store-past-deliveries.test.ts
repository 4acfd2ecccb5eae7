import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { getMessage } from '../deliveries/read/get-message.ts'
import { creditEvents } from '../events/influence/credit-events.ts'
import { trackPurchase } from '../events/track/track-purchase.ts'
import { registerInstallation } from '../installations/register/register-installation.ts'
import { sendByQuery } from '../messages/send/send-by-query.ts'
import { storePastDeliveries } from './store-past-deliveries.ts'

const store = await createTestStore()
const DAY = 86_400_000

it('tells what became of a message that nobody sends any more, and what followed it', async () => {
  const ctx = await createTestApp(store)
  const sentAt = new Date(Number(ctx.now()) - 3 * DAY)
  const then = { ...ctx, now: () => sentAt }
  for (const userId of ['sara', 'omid']) {
    await registerInstallation({ ...ctx, now: () => new Date(Number(sentAt) - DAY) }, { deviceType: 'android', userId })
  }
  const numbers = await store.query<{ no: number }>(sql`
    select installation_no as no from installations where app_id = ${ctx.app.id} order by installation_no`)
  const { id } = await sendByQuery(then, { target: {}, content: 'Hello', notification: { title: 'Hi' } })
  const openedAt = new Date(Number(sentAt) + 60_000)
  await storePastDeliveries(then, {
    messageId: id,
    recipients: 2,
    deliveries: [
      {
        installationNo: numbers[0]?.no as number,
        provider: 'fcm',
        at: sentAt,
        receipts: [
          { kind: 'delivered', actionId: '', happenedAt: sentAt },
          { kind: 'acted', actionId: 'buy', happenedAt: openedAt },
        ],
      },
      {
        installationNo: numbers[1]?.no as number,
        provider: 'fcm',
        at: sentAt,
        end: { reason: 'gone', detail: 'The token is dead.' },
        receipts: [],
      },
    ],
  })
  expect(await store.query(sql`select from delivery_batches where app_id = ${ctx.app.id}`)).toEqual([])
  const event = { userId: 'sara', eventName: 'Order', revenue: 12, currency: 'EUR' }
  await trackPurchase(ctx, { ...event, eventTime: Number(openedAt) + 3_600_000 })
  await trackPurchase(ctx, { ...event, eventTime: Number(openedAt) + DAY })
  await creditEvents({ store, now: ctx.now })
  expect(await getMessage(ctx, { id })).toMatchObject({
    states: { sent: 1, delivered: 1, shown: 1, acted: 1, ended: 1, queued: 0 },
    reasons: { gone: 1 },
    actions: { buy: 1 },
    progress: { total: 2, settled: 2, waiting: 0 },
    influenced: { events: 1 },
  })
})
