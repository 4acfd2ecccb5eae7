import { randomUUID } from 'node:crypto'
import type { DeliveryState } from '@peyk/contract'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { registerInstallation } from '../../installations/register/register-installation.ts'
import { advanceDeliveries, type DeliveryStep } from './advance-deliveries.ts'

const store = await createTestStore()
const noon = Date.UTC(2026, 10, 10, 12)
const DAY = 86_400_000

const readDays = (ctx: Context) =>
  store.query(sql`
    select day::text, platform, sum(sent)::int as sent, sum(delivered)::int as delivered, sum(shown)::int as shown,
      sum(opened)::int as opened
    from delivery_days where app_id = ${ctx.app.id} group by 1, 2 order by 1, 2`)

async function addInstallation(ctx: Context, deviceType: string): Promise<number> {
  const { id } = await registerInstallation(ctx, { deviceType })
  const [row] = await store.query<{ no: number }>(sql`
    select installation_no as no from installations where app_id = ${ctx.app.id} and id = ${id}`)
  return row?.no as number
}

async function setUp(deviceType = 'android') {
  const ctx = await createTestApp(store)
  const installationNo = await addInstallation(ctx, deviceType)
  const messageId = randomUUID()
  const go = (state: DeliveryState, day = 0, more: Partial<DeliveryStep> = {}) =>
    store.transaction((tx) =>
      advanceDeliveries(tx, [
        { appId: ctx.app.id, messageId, installationNo, state, at: new Date(noon + day * DAY), recipients: 1, ...more },
      ]),
    )
  return { ctx, go, messageId }
}

it('counts each step once, on the day on which it happened', async () => {
  const { ctx, go } = await setUp()
  await go('sent', 0, { provider: 'fcm' })
  await go('sent', 1, { provider: 'fcm' })
  await go('delivered', 1)
  await go('opened', 2)
  await go('opened', 3)
  await go('shown', 3)
  expect(await readDays(ctx)).toEqual([
    { day: '2026-11-10', platform: 'android', sent: 1, delivered: 0, shown: 0, opened: 0 },
    { day: '2026-11-11', platform: 'android', sent: 0, delivered: 1, shown: 0, opened: 0 },
    { day: '2026-11-12', platform: 'android', sent: 0, delivered: 0, shown: 1, opened: 1 },
  ])
})

it('counts what was skipped, and an action as an opening but not what was dismissed', async () => {
  const [acted, dismissed] = [await setUp('web'), await setUp('tizen')]
  await acted.go('queued', 0, { provider: 'connection' })
  await acted.go('acted')
  await dismissed.go('dismissed')
  expect(await readDays(acted.ctx)).toMatchObject([{ platform: 'web', sent: 1, delivered: 1, shown: 1, opened: 1 }])
  expect(await readDays(dismissed.ctx)).toMatchObject([
    { platform: 'other', sent: 1, delivered: 1, shown: 1, opened: 0 },
  ])
})

it('does not count what ended, unless it had been sent or arrives after all', async () => {
  const { ctx, go } = await setUp('ios')
  await go('ended', 0, { reason: 'unknown' })
  expect(await readDays(ctx)).toEqual([])
  await go('sent', 1, { provider: 'apns' })
  await go('shown', 2)
  expect(await readDays(ctx)).toMatchObject([
    { day: '2026-11-11', platform: 'ios', sent: 1, delivered: 0, shown: 0 },
    { day: '2026-11-12', sent: 0, delivered: 1, shown: 1 },
  ])
})

it('counts many at once, by platform and app', async () => {
  const [one, other] = [await setUp('ios'), await setUp('android')]
  const at = new Date(noon)
  const steps = async (ctx: Context, types: string[]): Promise<DeliveryStep[]> =>
    Promise.all(
      types.map(async (type) => ({
        appId: ctx.app.id,
        messageId: one.messageId,
        installationNo: await addInstallation(ctx, type),
        state: 'sent' as const,
        provider: type === 'ios' ? 'apns' : 'fcm',
        at,
        recipients: 30,
      })),
    )
  const all = [
    ...(await steps(
      one.ctx,
      Array.from({ length: 30 }, (_, index) => (index % 3 ? 'android' : 'ios')),
    )),
    ...(await steps(other.ctx, ['android', 'web'])),
  ]
  await Promise.all([
    store.transaction((tx) => advanceDeliveries(tx, all)),
    store.transaction((tx) => advanceDeliveries(tx, all.toReversed())),
  ])
  expect(await readDays(one.ctx)).toMatchObject([
    { platform: 'android', sent: 20 },
    { platform: 'ios', sent: 10 },
  ])
  expect(await readDays(other.ctx)).toMatchObject([
    { platform: 'android', sent: 1 },
    { platform: 'web', sent: 1 },
  ])
})
