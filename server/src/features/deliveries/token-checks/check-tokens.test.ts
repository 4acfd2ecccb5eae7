import { addDevices, createDelivery, type TestDevice } from '@peyk/test/delivery.ts'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { listAlerts } from '../../accounts/alerts/list-alerts.ts'
import { listProviders } from '../../accounts/providers/list-providers.ts'
import { updateDeviceToken } from '../../installations/register/update-device-token.ts'
import { reportUninstalls } from '../../installations/uninstalls/report-uninstalls.ts'
import { checkTokens } from './check-tokens.ts'
import { listHeldUninstalls } from './list-held-uninstalls.ts'
import { settleHeldUninstalls } from './settle-held-uninstalls.ts'

const { providers, store, createApp } = await createDelivery()

let ctx: Context

beforeEach(async () => {
  ctx = await createApp()
  providers.record.clear()
})

afterEach(() => providers.faults.clear())

const kill = (provider: 'fcm' | 'apns', device: TestDevice | undefined) =>
  providers.tokens.kill(provider, (device as TestDevice).token)

async function uninstalled(): Promise<string[]> {
  const { data } = await reportUninstalls(ctx, { from: '0', to: String(Date.now() + 60_000), limit: 100 })
  return data.map(({ userId }) => userId).sort()
}

const asked = () => providers.record.list().map((push) => push.token)

describe('the daily token check', () => {
  it('finds who is gone, by FCM and APNs, and shows nothing to anybody', async () => {
    const androids = await addDevices(ctx, providers, 'fcm', 30)
    const phones = await addDevices(ctx, providers, 'apns', 30)
    kill('fcm', androids[3])
    kill('apns', phones[7])
    await checkTokens(ctx)
    expect(await uninstalled()).toEqual(['apns-7', 'fcm-3'])
    expect(asked()).toHaveLength(60)
    for (const push of providers.record.list({ provider: 'fcm' })) expect(push.isValidateOnly).toBe(true)
    for (const push of providers.record.list({ provider: 'apns' })) {
      expect(push.headers).toMatchObject({ 'apns-push-type': 'background', 'apns-priority': '5' })
      expect(push.payload).not.toHaveProperty('aps.alert')
    }
  })

  it('asks once a day, and goes on where it was cut off', async () => {
    const devices = await addDevices(ctx, providers, 'fcm', 20)
    await store.query(sql`
      insert into token_checks (app_id, provider, checked_on, checked_up_to)
      values (${ctx.app.id}, 'fcm', ${ctx.now().toISOString().slice(0, 10)}, ${devices[9]?.installationNo})`)
    await checkTokens(ctx)
    expect(asked()).toHaveLength(10)
    await checkTokens(ctx)
    expect(asked()).toHaveLength(10)
  })

  it('leaves alone what a visit, a new token or a push has confirmed', async () => {
    const [visited, renewed, pushed, quiet] = (await addDevices(ctx, providers, 'fcm', 4)) as TestDevice[]
    await store.query(
      sql`update installations set launched_at = now() where app_id = ${ctx.app.id} and installation_no = ${visited?.installationNo}`,
    )
    await store.query(
      sql`update installation_details set token_changed_at = now() where app_id = ${ctx.app.id} and installation_no = ${renewed?.installationNo}`,
    )
    await store.query(sql`
      insert into deliveries (app_id, message_id, installation_no, state, provider, sent_at)
      select ${ctx.app.id}, (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid,
        ${pushed?.installationNo}, 'sent', 'fcm', now()`)
    await checkTokens(ctx)
    expect(asked()).toEqual([quiet?.token])
  })

  it('holds back when too many are gone at once, until somebody decides', async () => {
    await addDevices(ctx, providers, 'fcm', 40)
    providers.faults.set('fcm', [{ reason: 'UNREGISTERED' }])
    await checkTokens(ctx)
    expect(await uninstalled()).toEqual([])
    expect(await listHeldUninstalls(ctx)).toMatchObject([{ provider: 'fcm', count: 40 }])
    expect((await listAlerts(ctx, {})).map(({ kind }) => kind)).toEqual(['mass-invalidation'])
    expect(await settleHeldUninstalls(ctx, { provider: 'fcm', isGone: true })).toEqual({ count: 40 })
    expect(await uninstalled()).toHaveLength(40)
    expect(await listHeldUninstalls(ctx)).toEqual([])
    expect(await listAlerts(ctx, {})).toEqual([])
  })

  it('forgets what was held when it was a mistake', async () => {
    await addDevices(ctx, providers, 'fcm', 40)
    providers.faults.set('fcm', [{ reason: 'UNREGISTERED' }])
    await checkTokens(ctx)
    expect(await settleHeldUninstalls(ctx, { provider: 'fcm', isGone: false })).toEqual({ count: 40 })
    expect(await uninstalled()).toEqual([])
    expect(await listHeldUninstalls(ctx)).toEqual([])
  })

  it('waits when the provider says so, and asks again', async () => {
    await addDevices(ctx, providers, 'fcm', 5)
    providers.faults.set('fcm', [{ match: { first: 1 }, status: 429, reason: 'QUOTA_EXCEEDED', retryAfter: 1 }])
    await checkTokens(ctx)
    const times = providers.record.list().map((push) => push.at)
    expect(times).toHaveLength(6)
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThanOrEqual(1_000)
    expect(await uninstalled()).toEqual([])
  })

  it('stops and pauses the provider when the credentials are refused', async () => {
    await addDevices(ctx, providers, 'fcm', 5)
    providers.faults.set('fcm', [{ status: 401, reason: 'UNAUTHENTICATED' }])
    await checkTokens(ctx)
    const fcm = (await listProviders(ctx)).find(({ provider }) => provider === 'fcm')
    expect(fcm?.paused?.reason).toMatch(/401/)
    expect(await uninstalled()).toEqual([])
  })

  it('is followed by a re-install when the app comes back', async () => {
    const [device] = (await addDevices(ctx, providers, 'fcm', 1)) as [TestDevice]
    kill('fcm', device)
    await checkTokens(ctx)
    expect(await uninstalled()).toEqual(['fcm-0'])
    const deviceToken = providers.tokens.issue('fcm')
    await updateDeviceToken(ctx, { installationId: device.installationId, deviceToken, deviceType: 'android' })
    const [row] = await store.query<{ is_back: boolean }>(
      sql`select uninstalled_at is null as is_back from installations where app_id = ${ctx.app.id}`,
    )
    expect(row?.is_back).toBe(true)
  })
})
