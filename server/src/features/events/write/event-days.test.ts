import { createTestApp, createTestStore, silentLog } from '@peyk/test/database/test-store.ts'
import { findBroken } from '@peyk/test/invariants.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { registerInstallation } from '../../installations/register/register-installation.ts'
import { deleteUser } from '../../privacy/delete-user.ts'
import { trackBulk } from '../track/track-bulk.ts'
import { trackEvent } from '../track/track-event.ts'
import { trackPurchase } from '../track/track-purchase.ts'
import { compactEventDays } from '../upkeep/compact-event-days.ts'

const store = await createTestStore()
const noon = Date.UTC(2026, 10, 10, 12)
const DAY = 86_400_000

const readDays = (ctx: Context) =>
  store.query<{ name: string; count: number }>(sql`
    select name, day::text, currency, sum(count)::int as count, sum(forgotten)::int as forgotten, sum(revenue)::float8 as revenue
    from event_days where app_id = ${ctx.app.id} group by 1, 2, 3 order by 1, 2, 3`)

const setUp = () => createTestApp(store, { at: () => new Date(noon + 5 * DAY) })

async function expectSound() {
  expect(await findBroken(store)).toEqual([])
}

it('counts events per name, day and currency, whoever they belong to', async () => {
  const [ctx, other] = [await setUp(), await setUp()]
  await registerInstallation(ctx, { deviceType: 'android', userId: 'sara' })
  await trackEvent(ctx, { userId: 'sara', eventName: 'View', eventTime: noon })
  await trackEvent(ctx, { userId: 'nobody yet', eventName: 'View', eventTime: noon })
  await trackEvent(ctx, { userId: 'sara', eventName: 'View', eventTime: noon + 12 * 3_600_000 })
  await trackPurchase(ctx, { userId: 'sara', eventName: 'Order', revenue: 10.5, currency: 'eur', eventTime: noon })
  await trackPurchase(ctx, { userId: 'sara', eventName: 'Order', revenue: -0.5, currency: 'EUR', eventTime: noon })
  await trackPurchase(ctx, { userId: 'sara', eventName: 'Order', revenue: 3, eventTime: noon })
  await trackEvent(other, { userId: 'sara', eventName: 'View', eventTime: noon })
  expect(await readDays(ctx)).toEqual([
    { name: 'Order', day: '2026-11-10', currency: '', count: 1, forgotten: 0, revenue: 3 },
    { name: 'Order', day: '2026-11-10', currency: 'EUR', count: 2, forgotten: 0, revenue: 10 },
    { name: 'View', day: '2026-11-10', currency: '', count: 2, forgotten: 0, revenue: 0 },
    { name: 'View', day: '2026-11-11', currency: '', count: 1, forgotten: 0, revenue: 0 },
  ])
  await expectSound()
})

it('counts many at once exactly, and keeps one row of each day that is over', async () => {
  const ctx = await setUp()
  await registerInstallation(ctx, { deviceType: 'android', userId: 'sara' })
  const one = { userId: 'sara', eventName: 'View', eventTime: noon }
  await Promise.all(
    Array.from({ length: 200 }, (_, index) => trackEvent(ctx, { ...one, eventName: `View${index % 3}` })),
  )
  for (let turn = 0; turn < 5; turn++)
    await trackBulk(
      ctx,
      Array.from({ length: 20 }, () => one),
    )
  const before = await readDays(ctx)
  expect(before.map(({ count }) => count)).toEqual([100, 67, 67, 66])
  await compactEventDays({ store, now: ctx.now, log: silentLog })
  expect(await readDays(ctx)).toEqual(before)
  expect(await store.query(sql`select name, slot from event_days where app_id = ${ctx.app.id}`)).toHaveLength(4)
  await expectSound()
})

it('stays when a user is forgotten, and says how many events are gone', async () => {
  const ctx = await setUp()
  for (const userId of ['sara', 'omid']) await registerInstallation(ctx, { deviceType: 'android', userId })
  for (const userId of ['sara', 'sara', 'omid']) await trackEvent(ctx, { userId, eventName: 'View', eventTime: noon })
  await deleteUser(ctx, { userId: 'sara' })
  expect(await readDays(ctx)).toMatchObject([{ name: 'View', count: 3, forgotten: 2 }])
  await expectSound()
})

it('is found out when it does not agree with the events', async () => {
  const ctx = await setUp()
  await trackEvent(ctx, { userId: 'sara', eventName: 'View', eventTime: noon })
  await store.query(sql`update event_days set count = count + 1 where app_id = ${ctx.app.id}`)
  expect(await findBroken(store)).toEqual([
    expect.objectContaining({
      name: 'counts of events per day agree with the stored events',
      example: 'View 2026-11-10',
    }),
  ])
  await store.query(sql`update event_days set count = count - 1 where app_id = ${ctx.app.id}`)
})
