import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { OutwardContext } from '#base/context.ts'
import { raiseAlert } from '../../accounts/alerts/raise-alert.ts'
import { clearTrouble } from '../../accounts/providers/clear-trouble.ts'
import { findCredentials } from '../../accounts/providers/find-credentials.ts'
import { pauseProvider } from '../../accounts/providers/pause-provider.ts'
import { recordTrouble } from '../../accounts/providers/record-trouble.ts'
import { setProvider } from '../../deliveries/provider-setup/set-provider.ts'
import { trackPurchase } from '../../events/track/track-purchase.ts'
import { registerInstallation } from '../../installations/register/register-installation.ts'
import { unregisterInstallation } from '../../installations/uninstalls/unregister-installation.ts'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { replaceGlobalCodes } from '../../promo/replace-global-codes.ts'
import { readOverview } from './read-overview.ts'

const store = await createTestStore()
const clock = { at: 0 }
const noon = Date.UTC(2026, 10, 15, 12)
const DAY = 86_400_000

async function setUp(): Promise<OutwardContext> {
  clock.at = noon
  return createTestApp(store, { at: () => new Date(clock.at) })
}

async function onDay<T>(daysAgo: number, work: () => Promise<T>): Promise<T> {
  clock.at = noon - daysAgo * DAY
  const result = await work()
  clock.at = noon
  return result
}

describe('the overview', () => {
  it('of an app in which nothing has happened is all zeros', async () => {
    const overview = await readOverview(await setUp(), { days: 7 })
    expect(overview.days).toEqual([
      '2026-11-09',
      '2026-11-10',
      '2026-11-11',
      '2026-11-12',
      '2026-11-13',
      '2026-11-14',
      '2026-11-15',
    ])
    expect(overview.platforms.android.installs).toEqual([0, 0, 0, 0, 0, 0, 0])
    expect(overview.before.web.visits).toBe(0)
    expect(overview).toMatchObject({ revenue: [], connected: 0, sending: [], warnings: [] })
  })

  it('has each day and platform, and as many days before, the last of them cut at the same moment of the day', async () => {
    const [ctx, other] = [await setUp(), await setUp()]
    // At noon half of today has passed: so much of its counterpart counts.
    for (const userId of ['lale', 'mina', 'reza', 'nima'])
      await onDay(7, () => registerInstallation(ctx, { deviceType: 'android', userId }))
    await onDay(8, () => registerInstallation(ctx, { deviceType: 'android', userId: 'sara' }))
    const { id } = await onDay(2, () => registerInstallation(ctx, { deviceType: 'ios', userId: 'omid' }))
    await onDay(1, () => unregisterInstallation(ctx, { id }))
    await registerInstallation(other, { deviceType: 'ios', userId: 'omid' })
    const { platforms, earlier, before } = await readOverview(ctx, { days: 7 })
    expect(platforms.ios).toMatchObject({
      installs: [0, 0, 0, 0, 1, 0, 0],
      activeUsers: [0, 0, 0, 0, 1, 0, 0],
      uninstalls: [0, 0, 0, 0, 0, 1, 0],
      churned: [0, 0, 0, 0, 0, 1, 0],
    })
    expect(platforms.android.installs).toEqual([0, 0, 0, 0, 0, 0, 0])
    expect(earlier.android.installs).toEqual([0, 0, 0, 0, 0, 1, 4])
    expect(before.android).toMatchObject({ installs: 3, visits: 3, activeUsers: 1, activeInstallations: 1 })
    expect((await readOverview(ctx, {})).platforms.android.installs).toHaveLength(30)
  })

  it('sums up revenue by currency, the largest first', async () => {
    const ctx = await setUp()
    const buy = (revenue: number, currency: string, daysAgo: number) =>
      trackPurchase(ctx, { userId: 'sara', eventName: 'Order', revenue, currency, eventTime: noon - daysAgo * DAY })
    await buy(10.1, 'EUR', 0)
    await buy(20.2, 'eur', 0)
    await buy(5, 'EUR', 9)
    await buy(7, 'EUR', 7)
    await buy(100, 'USD', 3)
    const { revenue } = await readOverview(ctx, { days: 7 })
    expect(revenue).toEqual([
      { currency: 'USD', amounts: [0, 0, 0, 100, 0, 0, 0], earlier: [0, 0, 0, 0, 0, 0, 0], total: 100, before: 0 },
      { currency: 'EUR', amounts: [0, 0, 0, 0, 0, 0, 30.3], earlier: [0, 0, 0, 0, 5, 0, 7], total: 30.3, before: 8.5 },
    ])
  })

  it('bears amounts whose sum is more than a number can be', async () => {
    const ctx = await setUp()
    for (const revenue of [1e308, 1e308, 1e305, -1.5e308, -1e308]) {
      const currency = revenue > 0 ? 'EUR' : 'USD'
      await trackPurchase(ctx, { userId: 'sara', eventName: 'Order', revenue, currency, eventTime: noon })
    }
    const { revenue } = await readOverview(ctx, { days: 7 })
    expect(revenue.map(({ currency, total }) => [currency, total])).toEqual([
      ['EUR', 1e300],
      ['USD', -1e300],
    ])
  })

  it('shows what is being sent, and who is connected', async () => {
    const ctx = await setUp()
    const { id } = await registerInstallation(ctx, { deviceType: 'android', userId: 'sara' })
    const message = await sendByQuery(ctx, { target: {}, content: 'Hello', notification: { title: 'Hi' } })
    const holder = randomUUID()
    await store.query(sql`insert into connection_holders values (${holder}, now() + interval '1 minute')`)
    await store.query(sql`
      insert into connections (app_id, installation_no, holder, connection_id)
      select app_id, installation_no, ${holder}, ${randomUUID()} from installations where app_id = ${ctx.app.id} and id = ${id}`)
    const { connected, sending } = await readOverview(ctx, {})
    expect(connected).toBe(1)
    expect(sending).toMatchObject([{ id: message.id, title: 'Hi', progress: { total: 1, settled: 0, waiting: 1 } }])
    // A holder that is late is not given up by that: the others have to say so.
    await store.query(sql`update connection_holders set alive_until = now() where holder = ${holder}`)
    expect((await readOverview(ctx, {})).connected).toBe(1)
    await store.query(sql`delete from connection_holders where holder = ${holder}`)
    expect((await readOverview(ctx, {})).connected).toBe(0)
  })

  it('warns of a provider that takes nothing for two minutes while something waits, and only then', async () => {
    const ctx = await setUp()
    await setProvider(ctx, { provider: 'webpush', sent: { subject: 'mailto:push@shop.example' } })
    const { version } = (await findCredentials(ctx, { provider: 'webpush' })) as { version: string }
    const since = new Date(noon - 2 * 60_000)
    const trouble = { provider: 'webpush', version, since, reason: 'timed-out' } as const
    await recordTrouble(ctx, trouble)
    await recordTrouble(ctx, { ...trouble, since: new Date(noon), reason: 'server-error' })
    await recordTrouble(ctx, { ...trouble, version: 'of others', reason: 'network' })
    const warnings = async () => (await readOverview(ctx, {})).warnings
    expect(await warnings()).toEqual([])
    await store.query(sql`
      insert into delivery_batches (app_id, message_id, lane, stream, expires_at, installation_nos)
      values (${ctx.app.id}, ${randomUUID()}, 'group', 'webpush', now() + interval '1 hour', '{1}')`)
    const told = { kind: 'provider-failing', provider: 'webpush', since: since.getTime(), reason: 'server-error' }
    expect(await warnings()).toEqual([told])
    clock.at = noon - 1_000
    expect(await warnings()).toEqual([])
    clock.at = noon
    await clearTrouble(ctx, { provider: 'webpush' })
    expect(await warnings()).toEqual([])
    await recordTrouble(ctx, trouble)
    await pauseProvider(ctx, { provider: 'webpush', reason: 'It answered 403.' })
    expect(await warnings()).toMatchObject([{ kind: 'provider-paused' }])
    await setProvider(ctx, { provider: 'webpush', sent: { subject: 'mailto:other@shop.example' } })
    expect(await warnings()).toEqual([])
  })

  it('warns of credentials that are missing or refused, and of a webhook that fails', async () => {
    const ctx = await setUp()
    const warnings = async () => (await readOverview(ctx, {})).warnings
    await registerInstallation(ctx, { deviceType: 'android', userId: 'sara' })
    await registerInstallation(ctx, { deviceType: 'web', userId: 'sara' })
    expect(await warnings()).toEqual([])
    await registerInstallation(ctx, { deviceType: 'ios', userId: 'sara', deviceToken: 'a'.repeat(64) })
    expect(await warnings()).toEqual([{ kind: 'credentials-missing', provider: 'apns' }])
    await setProvider(ctx, { provider: 'webpush', sent: { subject: 'mailto:push@shop.example' } })
    await store.query(sql`
      update provider_credentials
      set checked_at = ${new Date(noon)}, checked_version = md5(sealed), check_result = 'refused', check_finding = '{}'
      where app_id = ${ctx.app.id}`)
    const id = randomUUID()
    await store.query(sql`
      insert into webhooks (app_id, webhook_id, url, sealed_secret, events)
      values (${ctx.app.id}, ${id}, 'https://shop.example/hook', ${ctx.external.secretBox.seal('x')}, '{user.new}')`)
    const failSince = (ms: number) =>
      store.query(sql`update webhooks set failing_since = ${new Date(ms)} where webhook_id = ${id}`)
    await failSince(noon - 60_000)
    const told = [
      { kind: 'credentials-refused', provider: 'webpush', at: noon },
      { kind: 'credentials-missing', provider: 'apns' },
    ]
    expect(await warnings()).toEqual(told)
    await failSince(noon - 180_000)
    const webhook = { kind: 'webhook-failing', webhookId: id, host: 'shop.example', since: noon - 180_000, waiting: 0 }
    expect(await warnings()).toEqual([...told, webhook])
  })

  it('warns of what needs a person, each once', async () => {
    const ctx = await setUp()
    await setProvider(ctx, { provider: 'webpush', sent: { subject: 'mailto:push@shop.example' } })
    await pauseProvider(ctx, { provider: 'webpush', reason: 'It answered 403.' })
    await store.query(sql`
      insert into held_uninstalls (app_id, provider, installation_no, device_token) values (${ctx.app.id}, 'fcm', 1, 'x')`)
    for (const kind of ['mass-invalidation', 'sms-limit'] as const) {
      await raiseAlert(ctx, { kind, subject: 'fcm', text: 'Look at it.' })
    }
    await replaceGlobalCodes(ctx, { file: Readable.from(['A1\nA2\nA3\n']) })
    await store.query(sql`update promo_sets set given = 1 where app_id = ${ctx.app.id}`)
    const { warnings } = await readOverview(ctx, {})
    expect(warnings).toEqual([
      {
        kind: 'provider-paused',
        provider: 'webpush',
        reason: 'It answered 403.',
        at: expect.any(Number),
      },
      { kind: 'uninstalls-held', provider: 'fcm', count: 1, at: expect.any(Number) },
      { kind: 'alert', alert: expect.objectContaining({ kind: 'sms-limit' }) },
      { kind: 'promo-low', trackId: '', left: 2, codes: 3 },
    ])
  })
})
