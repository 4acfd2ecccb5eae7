import { randomUUID } from 'node:crypto'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { followUsage } from '../../accounts/quotas/follow-usage.ts'
import { tallyOf } from '../../accounts/quotas/usage-tally.ts'
import { writeUsage } from '../../accounts/quotas/write-usage.ts'
import { trackEvent } from '../../events/track/track-event.ts'
import { registerInstallation } from '../../installations/register/register-installation.ts'
import type { Accepted } from '../../messages/accept/draft-message.ts'
import { sendToUsers } from '../../messages/send/send-to-users.ts'
import { countProviders } from './count-providers.ts'
import { countUsage } from './count-usage.ts'
import { readUsage } from './read-usage.ts'

const store = await createTestStore()
const DAY = 86_400_000

it('of an app that did nothing is all zeros', async () => {
  const ctx = await createTestApp(store)
  const usage = await readUsage(ctx, {})
  expect(usage).toMatchObject({
    month: ctx.now().toISOString().slice(0, 7),
    total: { messages: 0, deliveries: 0, sent: 0, events: 0, sms: 0, activeInstallations: 0, peakConnections: 0 },
    installations: 0,
    providers: { counted: 0, deliveries: {} },
    storage: { images: { rows: 0, bytes: 0 }, events: { rows: 0 } },
    quotas: [],
    days: [],
  })
})

it('has the figures of each day and of the month', async () => {
  const [ctx, other] = [await createTestApp(store), await createTestApp(store)]
  await store.query(sql`
    insert into sms_days values (${ctx.app.id}, '2026-02-03', 4), (${ctx.app.id}, '2026-02-28', 1), (${ctx.app.id}, '2026-03-01', 9)`)
  await store.query(sql`
    insert into delivery_days (app_id, day, platform, slot, sent) values
      (${ctx.app.id}, '2026-02-03', 'android', 0, 5), (${ctx.app.id}, '2026-02-03', 'ios', 1, 6)`)
  await store.query(sql`
    insert into activity_days (app_id, day, platform, slot, active_installations) values (${ctx.app.id}, '2026-02-28', 'web', 0, 7)`)
  await store.query(sql`
    insert into usage_days (app_id, day, messages, deliveries, events, active_installations, connections) values
      (${ctx.app.id}, '2026-02-03', 2, 12, 30, 8, 40), (${ctx.app.id}, '2026-02-28', 1, 1, 1, 9, 30),
      (${ctx.app.id}, '2026-01-31', 1, 1, 1, 50, 90), (${other.app.id}, '2026-02-03', 1, 1, 1, 1, 1)`)
  await store.query(sql`
    insert into usage_providers values
      (${ctx.app.id}, '2026-02-03', '', 0), (${ctx.app.id}, '2026-02-03', 'fcm', 5), (${ctx.app.id}, '2026-02-28', '', 0)`)
  const usage = await readUsage(ctx, { month: '2026-02' })
  expect(usage.total).toEqual({
    ...{ messages: 3, deliveries: 13, sent: 11, events: 31, sms: 5, newInstallations: 0 },
    ...{ activeInstallations: 9, peakConnections: 40 },
  })
  expect(usage.providers).toEqual({ counted: 2, deliveries: { fcm: 5 } })
  expect(usage.days.map(({ day, sent, sms }) => [day, sent, sms])).toEqual([
    ['2026-02-03', 11, 4],
    ['2026-02-28', 0, 1],
  ])
})

it('has in a month at least the active installations of any of its days, before a job has counted them', async () => {
  const ctx = await createTestApp(store)
  await registerInstallation(ctx, { deviceType: 'android', userId: 'sara' })
  await registerInstallation(ctx, { deviceType: 'ios', userId: 'omid' })
  const before = await readUsage(ctx, {})
  expect(before.days.map(({ activeInstallations }) => activeInstallations)).toEqual([2])
  expect(before.total.activeInstallations).toBe(2)
  await countUsage(ctx)
  expect((await readUsage(ctx, {})).total.activeInstallations).toBe(2)
})

it('estimates what is stored once PostgreSQL has counted the rows', async () => {
  const ctx = await createTestApp(store)
  await registerInstallation(ctx, { deviceType: 'android', userId: 'sara' })
  await trackEvent(ctx, { userId: 'sara', eventName: 'Seen' })
  await store.query(sql`analyze installations`)
  await store.query(sql`analyze installation_details`)
  await store.query(sql`analyze events`)
  await countUsage(ctx)
  const { storage, installations } = await readUsage(ctx, {})
  expect(installations).toBe(1)
  expect(storage.installations).toEqual({ rows: 1, bytes: expect.any(Number) })
  expect(storage.events).toEqual({ rows: 1, bytes: expect.any(Number) })
  expect(storage.installations.bytes).toBeGreaterThan(100)
})

it('keeps the most connections of a day', async () => {
  const ctx = await createTestApp(store)
  const holder = randomUUID()
  await store.query(sql`insert into connection_holders values (${holder}, now() + interval '1 minute')`)
  await store.query(sql`
    insert into connections (app_id, installation_no, holder, connection_id)
    select ${ctx.app.id}, no, ${holder}, gen_random_uuid() from generate_series(1, 3) no`)
  await countUsage(ctx)
  await store.query(sql`delete from connections where app_id = ${ctx.app.id} and installation_no > 1`)
  await countUsage(ctx)
  expect((await readUsage(ctx, {})).total.peakConnections).toBe(3)
})

it('counts by provider, once, the days that are over', async () => {
  const start = Date.UTC(2026, 10, 10, 12)
  let at = start
  const ctx = await createTestApp(store, { at: () => new Date(at) })
  await registerInstallation(ctx, { deviceType: 'android', userId: 'sara' })
  const { id } = (await sendToUsers(ctx, { user: 'sara', content: 'Hello' })) as Accepted
  await store.query(sql`
    insert into deliveries (app_id, message_id, installation_no, state, provider, sent_at, updated_at) values
      (${ctx.app.id}, ${id}, 1, 'sent', 'fcm', now(), now()), (${ctx.app.id}, ${id}, 2, 'delivered', 'fcm', now(), now()),
      (${ctx.app.id}, ${id}, 3, 'sent', 'apns', now(), now()), (${ctx.app.id}, ${id}, 4, 'failed', 'apns', null, now()),
      (${ctx.app.id}, ${id}, 5, 'failed', null, null, now())`)
  await store.query(sql`
    insert into usage_days (app_id, day, deliveries) values (${ctx.app.id}, '2026-11-10', 5), (${ctx.app.id}, '2026-11-09', 1)`)
  at = start + DAY / 2 + DAY / 8
  await countProviders(ctx)
  expect((await readUsage(ctx, { month: '2026-11' })).providers).toEqual({ counted: 1, deliveries: {} })
  at = start + DAY
  await countProviders(ctx)
  await countProviders(ctx)
  expect((await readUsage(ctx, { month: '2026-11' })).providers).toEqual({
    counted: 2,
    deliveries: { fcm: 2, apns: 1 },
  })
})

it('is written every few seconds, at the end, and again when it could not be', async () => {
  const ctx = await createTestApp(store)
  const tally = tallyOf(store)
  await sendToUsers(ctx, { user: 'sara', content: 'Hello' })
  await expect(
    tally.write(
      async () => {
        throw new Error('away')
      },
      async () => undefined,
    ),
  ).rejects.toThrow('away')
  expect(tally.of(ctx.app.id, 'messages')).toBe(1)
  const following = followUsage(ctx, 5)
  const messages = async () => (await readUsage(ctx, {})).total.messages
  await poll(messages).toBe(1)
  await following.stop()
  await sendToUsers(ctx, { user: 'sara', content: 'Hello' })
  await followUsage(ctx, 1e6).stop()
  expect(await messages()).toBe(2)
  await writeUsage(store, new Map([[-1, { messages: 1, deliveries: 1, events: 1, installations: 1 }]]))
})
