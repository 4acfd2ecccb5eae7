import type { Context } from '@peyk/server/base/context.ts'
import { listAlerts } from '@peyk/server/features/accounts/alerts/list-alerts.ts'
import { listProviders } from '@peyk/server/features/accounts/providers/list-providers.ts'
import type { Dispatcher } from '@peyk/server/features/deliveries/dispatch/dispatcher.ts'
import { resumeProvider } from '@peyk/server/features/deliveries/provider-setup/resume-provider.ts'
import { getMessage } from '@peyk/server/features/deliveries/read/get-message.ts'
import { sendByQuery } from '@peyk/server/features/messages/send/send-by-query.ts'
import { sendToUsers } from '@peyk/server/features/messages/send/send-to-users.ts'
import type { FaultRule } from '@peyk/simulator/providers/fault-rule.ts'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addDevices, createDelivery, type TestDevice } from '../helpers/delivery.ts'
import { effort } from '../helpers/runner/effort.ts'
import { until } from '../helpers/runner/until.ts'

/** Every row of what providers answer, on the way from an accepted message to its end. */

const { providers, store, createApp, startDispatcher } = await createDelivery()

type Provider = 'fcm' | 'apns' | 'webpush'
type End = 'sent' | 'gone' | 'refused' | 'unknown' | 'later' | 'paused'

let ctx: Context
let dispatcher: Dispatcher

beforeEach(async () => {
  ctx = await createApp()
  dispatcher = startDispatcher()
})

afterEach(async () => {
  providers.faults.clear()
  await dispatcher.stop()
})

async function send(device: TestDevice, more: object = {}): Promise<string> {
  const accepted = await sendToUsers(ctx, { user: device.userId, content: 'Hello', ...more })
  return (accepted as { id: string }).id
}

/** The delivery's end, or that it was put back and until when at the earliest. */
async function endOf(id: string): Promise<{ end: End; detail: string | null }> {
  return until(
    async () => {
      const [row] = await store.query<{ state: string; reason: string | null; detail: string | null }>(
        sql`select state, reason, detail from deliveries where app_id = ${ctx.app.id} and message_id = ${id}`,
      )
      const [attempt] = await store.query<{ outcome: End; detail: string }>(
        sql`select outcome, detail from delivery_attempts where app_id = ${ctx.app.id} and message_id = ${id}`,
      )
      return {
        end: (row?.reason ?? row?.state ?? attempt?.outcome) as End,
        detail: row?.detail ?? attempt?.detail ?? null,
      }
    },
    ({ end }) => end !== undefined,
  )
}

async function hasToken({ installationNo }: TestDevice): Promise<{ isInstalled: boolean; hasToken: boolean }> {
  const [row] = await store.query<{ is_installed: boolean; has_token: boolean }>(sql`
    select i.uninstalled_at is null as is_installed, d.device_token is not null as has_token
    from installations i join installation_details d using (app_id, installation_no)
    where i.app_id = ${ctx.app.id} and i.installation_no = ${installationNo}`)
  return { isInstalled: row?.is_installed === true, hasToken: row?.has_token === true }
}

const pushes = (id: string) => providers.record.list({ messageId: id })

/** What waits from an earlier test may be sent again at any moment. */
const onlyFor = ({ token }: TestDevice, rule: FaultRule): FaultRule => ({ ...rule, match: { ...rule.match, token } })

const rows: [provider: Provider, what: string, rule: FaultRule, end: End][] = [
  ['fcm', '404 UNREGISTERED', { reason: 'UNREGISTERED' }, 'gone'],
  ['fcm', '400 about message.token', { reason: 'INVALID_ARGUMENT', field: 'message.token' }, 'gone'],
  ['fcm', '400 about another field', { reason: 'INVALID_ARGUMENT', field: 'message.data' }, 'refused'],
  ['fcm', '400 without a field', { status: 400, body: '{}' }, 'refused'],
  ['fcm', '403 SENDER_ID_MISMATCH', { reason: 'SENDER_ID_MISMATCH' }, 'refused'],
  ['fcm', '401', { status: 401, reason: 'UNAUTHENTICATED' }, 'paused'],
  ['fcm', '401 THIRD_PARTY_AUTH_ERROR', { reason: 'THIRD_PARTY_AUTH_ERROR' }, 'paused'],
  ['fcm', '429 with seconds', { status: 429, reason: 'QUOTA_EXCEEDED', retryAfter: 30 }, 'later'],
  [
    'fcm',
    '429 with a date',
    { status: 429, reason: 'QUOTA_EXCEEDED', retryAfter: new Date(Date.now() + 60_000).toUTCString() },
    'later',
  ],
  ['fcm', '429 with nothing', { status: 429, reason: 'QUOTA_EXCEEDED', retryAfter: null }, 'later'],
  ['fcm', '429 with a negative number', { status: 429, reason: 'QUOTA_EXCEEDED', retryAfter: -5 }, 'later'],
  ['fcm', '429 with nonsense', { status: 429, reason: 'QUOTA_EXCEEDED', retryAfter: 'soon' }, 'later'],
  ['fcm', '429 with a huge number', { status: 429, reason: 'QUOTA_EXCEEDED', retryAfter: 1e12 }, 'later'],
  ['fcm', '500', { reason: 'INTERNAL' }, 'later'],
  ['fcm', '503', { reason: 'UNAVAILABLE', retryAfter: 20 }, 'later'],
  ['fcm', 'a page of HTML', { then: 'html' }, 'later'],
  ['fcm', 'a reset, twice', { then: 'reset' }, 'unknown'],
  ['fcm', 'RST_STREAM after it was taken, twice', { then: 'rst', code: 'INTERNAL_ERROR' }, 'unknown'],
  ['fcm', 'REFUSED_STREAM once', { match: { first: 1 }, then: 'rst', code: 'REFUSED_STREAM' }, 'sent'],
  ['fcm', 'GOAWAY below the request', { match: { first: 1 }, then: 'goaway', lastStream: 'below' }, 'sent'],
  ['fcm', 'GOAWAY at the request', { match: { first: 1 }, then: 'goaway', lastStream: 'at' }, 'sent'],
  ['fcm', 'a reset once', { match: { first: 1 }, then: 'reset' }, 'sent'],
  ['fcm', 'SETTINGS that change', { maxConcurrentStreams: 1 }, 'sent'],
  ['apns', '410 Unregistered later than the token', { reason: 'Unregistered', timestamp: Date.now() }, 'gone'],
  ['apns', '400 BadDeviceToken', { reason: 'BadDeviceToken' }, 'gone'],
  ['apns', '400 DeviceTokenNotForTopic', { reason: 'DeviceTokenNotForTopic' }, 'refused'],
  ['apns', '413 PayloadTooLarge', { reason: 'PayloadTooLarge' }, 'refused'],
  ['apns', '400 TopicDisallowed', { reason: 'TopicDisallowed' }, 'refused'],
  ['apns', '403 InvalidProviderToken', { reason: 'InvalidProviderToken' }, 'paused'],
  ['apns', '429 TooManyRequests', { reason: 'TooManyRequests' }, 'later'],
  ['apns', '429 TooManyProviderTokenUpdates', { reason: 'TooManyProviderTokenUpdates' }, 'later'],
  ['apns', '500', { reason: 'InternalServerError' }, 'later'],
  ['apns', '503', { reason: 'ServiceUnavailable' }, 'later'],
  ['apns', 'GOAWAY below the request', { match: { first: 1 }, then: 'goaway', lastStream: 'below' }, 'sent'],
  ['apns', 'a reset, twice', { then: 'reset' }, 'unknown'],
  ['webpush', '404', { status: 404 }, 'gone'],
  ['webpush', '410', { status: 410 }, 'gone'],
  ['webpush', '401', { status: 401 }, 'paused'],
  ['webpush', '403', { status: 403 }, 'paused'],
  ['webpush', '413', { status: 413 }, 'refused'],
  ['webpush', '429', { status: 429, retryAfter: 30 }, 'later'],
  ['webpush', '503', { status: 503 }, 'later'],
  ['webpush', 'a reset, twice', { then: 'reset' }, 'unknown'],
]

describe('an answer of a provider', () => {
  it.each(rows)('%s: %s', async (provider, _what, rule, expected) => {
    const [device] = (await addDevices(ctx, providers, provider, 1)) as [TestDevice]
    // On a connection that has carried something before.
    await endOf(await send(device))
    providers.faults.set(provider, [onlyFor(device, rule)])
    const id = await send(device)
    const { end, detail } = await endOf(id)
    expect({ end, detail }).toMatchObject({ end: expected })
    const isForeign = rule.reason === 'SENDER_ID_MISMATCH'
    const isGone = expected === 'gone'
    const now = await until(
      () => hasToken(device),
      ({ isInstalled, hasToken }) => isInstalled === !isGone && hasToken === !(isGone || isForeign),
    )
    expect(now).toEqual({ isInstalled: !isGone, hasToken: !(isGone || isForeign) })
    if (expected === 'unknown') expect(pushes(id)).toHaveLength(2)
    if (expected === 'paused') {
      const paused = async () => (await listProviders(ctx)).find((each) => each.provider === provider)?.paused
      expect((await until(paused, (pause) => pause !== undefined))?.reason).not.toBe('')
      expect((await listAlerts(ctx, {})).map(({ kind }) => kind)).toContain('provider-paused')
    }
  })
})

describe('what has to wait', () => {
  it.each([
    ['fcm', { match: { first: 1 }, status: 429, reason: 'QUOTA_EXCEEDED', retryAfter: 1 }],
    ['fcm', { match: { first: 1 }, status: 503, reason: 'UNAVAILABLE', retryAfter: 1 }],
    ['webpush', { match: { first: 1 }, status: 429, retryAfter: 1 }],
  ] as [Provider, FaultRule][])('is sent again by %s, and not before it may', async (provider, rule) => {
    const [device] = (await addDevices(ctx, providers, provider, 1)) as [TestDevice]
    providers.faults.set(provider, [onlyFor(device, rule)])
    const id = await send(device)
    await until(
      () => getMessage(ctx, { id }),
      ({ states }) => states.sent === 1,
    )
    const [first, second] = pushes(id)
    expect(pushes(id)).toHaveLength(2)
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1_000)
  })

  it('ends as expired when its time has passed', async () => {
    const [device] = (await addDevices(ctx, providers, 'fcm', 1)) as [TestDevice]
    providers.faults.set('fcm', [{ status: 503, reason: 'UNAVAILABLE', retryAfter: 3600 }])
    // Long enough to be tried once on a busy machine.
    const id = await send(device, { ttl: 10 })
    const { reasons } = await until(
      () => getMessage(ctx, { id }),
      ({ states }) => states.ended === 1,
    )
    expect(reasons).toMatchObject({ expired: 1 })
    expect(pushes(id)).toHaveLength(1)
  })

  it('for the credentials goes on when the provider is resumed', async () => {
    const [device] = (await addDevices(ctx, providers, 'apns', 1)) as [TestDevice]
    providers.faults.set('apns', [{ reason: 'InvalidProviderToken' }])
    const id = await send(device)
    await endOf(id)
    const paused = async () => (await listProviders(ctx)).find((each) => each.provider === 'apns')?.paused
    await until(paused, (pause) => pause !== undefined)
    providers.faults.clear()
    await until(
      () => store.query(sql`select from delivery_batches where app_id = ${ctx.app.id} and lease_holder is null`),
      (batches) => batches.length === 1,
    )
    await resumeProvider(ctx, { provider: 'apns' })
    const { states } = await until(
      () => getMessage(ctx, { id }),
      ({ progress }) => progress.waiting === 0,
    )
    expect(states).toMatchObject({ sent: 1, ended: 0 })
  })
})

describe('a provider in trouble', () => {
  it('does not hold up the others', async () => {
    const [hung] = (await addDevices(ctx, providers, 'apns', 1)) as [TestDevice]
    const others = await addDevices(ctx, providers, 'fcm', 50)
    // Until the faults are cleared.
    providers.faults.set('apns', [{ delayMs: 600_000 }])
    const stuck = await send(hung)
    const ids = await Promise.all(others.map((device) => send(device)))
    for (const id of ids) expect((await endOf(id)).end).toBe('sent')
    expect((await getMessage(ctx, { id: stuck })).states).toMatchObject({ queued: 1, sent: 0 })
  })

  it('that calls everybody gone removes nobody, and the operator is told', async () => {
    await addDevices(ctx, providers, 'fcm', 300)
    providers.faults.set('fcm', [{ reason: 'UNREGISTERED' }])
    const { id } = await sendByQuery(ctx, { target: {}, content: 'Hello' })
    const { reasons } = await until(
      () => getMessage(ctx, { id }),
      ({ progress }) => progress.waiting === 0,
    )
    expect(reasons.gone).toBe(300)
    await until(
      () => store.query(sql`select from held_uninstalls where app_id = ${ctx.app.id}`),
      (held) => held.length === 300,
    )
    const gone = await store.query(
      sql`select from installations where app_id = ${ctx.app.id} and uninstalled_at is not null`,
    )
    expect(gone).toEqual([])
    expect((await listAlerts(ctx, {})).map(({ kind }) => kind)).toEqual(['mass-invalidation'])
  })

  it('that closes its connection every 50 requests loses nothing of a big send', async () => {
    for (let left = effort.goawayPushes; left > 0; left -= 5_000)
      await addDevices(ctx, providers, 'fcm', Math.min(left, 5_000), `fcm-${left}`)
    providers.faults.set('fcm', [{ match: { every: 50 }, then: 'goaway', lastStream: 'below' }])
    const { id } = await sendByQuery(ctx, { target: {}, content: 'Hello' })
    const { states, reasons } = await until(
      () => getMessage(ctx, { id }),
      ({ progress }) => progress.waiting === 0,
      effort.isLong ? 900_000 : undefined,
    )
    expect(states.sent).toBe(effort.goawayPushes)
    expect(reasons.unknown).toBe(0)
    const taken = pushes(id).filter((push) => push.isTaken)
    expect(taken).toHaveLength(effort.goawayPushes)
    expect(new Set(taken.map((push) => push.token)).size).toBe(effort.goawayPushes)
  })
})
