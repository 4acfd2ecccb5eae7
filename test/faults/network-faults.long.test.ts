import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { Context } from '@peyk/server/base/context.ts'
import type { External } from '@peyk/server/base/external.ts'
import { listAlerts } from '@peyk/server/features/accounts/alerts/list-alerts.ts'
import { listProviders } from '@peyk/server/features/accounts/providers/list-providers.ts'
import type { Dispatcher } from '@peyk/server/features/deliveries/dispatch/dispatcher.ts'
import { getMessage } from '@peyk/server/features/deliveries/read/get-message.ts'
import { sendByQuery } from '@peyk/server/features/messages/send/send-by-query.ts'
import { sendToUsers } from '@peyk/server/features/messages/send/send-to-users.ts'
import { recordReceipts } from '@peyk/server/features/receipts/record-receipts.ts'
import type { FaultRule } from '@peyk/simulator/providers/fault-rule.ts'
import { createProviderKeys } from '@peyk/simulator/providers/keys.ts'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addDevices, createDelivery, type TestDevice } from '../helpers/delivery.ts'
import { findBroken } from '../helpers/invariants.ts'
import { effort } from '../helpers/runner/effort.ts'
import { until } from '../helpers/runner/until.ts'
import { inspectSend } from './big-send.ts'

/** Providers that ask to wait, are slow, silent, endless, not who they should be, or gone mad. */

const { providers, store, external, createApp, startDispatcher } = await createDelivery()

let ctx: Context
let dispatcher: Dispatcher | undefined

beforeEach(async () => {
  ctx = await createApp()
})

afterEach(async () => {
  providers.faults.clear()
  await dispatcher?.stop()
  expect(await findBroken(store)).toEqual([])
})

const pushes = (id: string) => providers.record.list({ messageId: id })

async function send(more: object = {}, by: Context = ctx): Promise<string> {
  return (await sendByQuery(by, { target: {}, content: 'Hello', ...more })).id
}

async function sendTo(device: TestDevice): Promise<string> {
  return ((await sendToUsers(ctx, { user: device.userId, content: 'Hello' })) as { id: string }).id
}

function finish(id: string, by: Context = ctx) {
  return until(
    () => getMessage(by, { id }),
    ({ progress }) => progress.waiting === 0,
  )
}

describe('Retry-After', () => {
  const date = (ms: number) => new Date(Math.ceil((Date.now() + ms) / 1_000) * 1_000).toUTCString()
  /** How long to wait after a push that came at this moment. */
  type Wait = (said: string, at: number) => number
  const forms: [what: string, retryAfter: () => string | number | null, waitMs: Wait][] = [
    ['seconds', () => 2, () => 2_000],
    ['seconds as text', () => '3', () => 3_000],
    ['zero', () => 0, () => 1_000],
    ['a date', () => date(3_000), (said, at) => Date.parse(said) - at],
    ['a date that has passed', () => date(-60_000), () => 1_000],
  ]

  it('is waited for by all deliveries at once, in every form that names a time', async () => {
    const sends = await Promise.all(
      forms.map(async ([what, retryAfter, waitMs], index) => {
        const by = await createApp()
        const provider = index % 2 === 0 ? 'fcm' : 'webpush'
        const devices = await addDevices(by, providers, provider, 40)
        return { what, by, provider, devices, waitMs, said: retryAfter() }
      }),
    )
    for (const provider of ['fcm', 'webpush'] as const) {
      const rules = sends
        .filter((each) => each.provider === provider)
        .flatMap(({ devices, said }) =>
          devices.map(({ token }) => ({ match: { token, first: 1 }, status: 429, retryAfter: said })),
        )
      providers.faults.set(provider, rules)
    }
    dispatcher = startDispatcher()
    const ids = await Promise.all(sends.map(({ by }) => send({}, by)))
    for (const [index, id] of ids.entries()) {
      const { by, what, provider, waitMs, said } = sends[index] as (typeof sends)[number]
      const { states } = await finish(id, by)
      expect({ what, sent: states.sent }).toEqual({ what, sent: 40 })
      const early = triedAgain(id).filter(({ at, afterMs }) => afterMs < waitMs(String(said), at))
      expect({ what, provider, early }).toEqual({ what, provider, early: [] })
    }
  })

  it.each([
    ['nothing', null, 60_000],
    ['a negative number', -5, 60_000],
    ['nonsense', 'soon', 60_000],
    ['a huge number', 1e12, 24 * 3_600_000],
    ['more digits than a number has', '9'.repeat(400), 24 * 3_600_000],
  ])('that is %s leaves everything waiting as long as it should', async (_what, retryAfter, waitMs) => {
    await addDevices(ctx, providers, 'fcm', 40)
    providers.faults.set('fcm', [{ status: 429, reason: 'QUOTA_EXCEEDED', retryAfter }])
    dispatcher = startDispatcher()
    const id = await send()
    const waits = await until(
      () =>
        store.query<{ due_at: Date; is_held: boolean; numbers: number }>(sql`
          select available_at as due_at, lease_holder is not null as is_held, cardinality(installation_nos) as numbers
          from delivery_batches where app_id = ${ctx.app.id} and message_id = ${id} and stream <> 'expand'`),
      (rows) => rows.length > 0 && rows.every(({ is_held }) => !is_held) && pushes(id).length > 0,
    )
    expect(waits.reduce((sum, { numbers }) => sum + numbers, 0)).toBe(40)
    const refusedAt = Math.min(...pushes(id).map(({ at }) => at))
    expect(Math.min(...waits.map(({ due_at }) => due_at.getTime())) - refusedAt).toBeGreaterThan(waitMs - 5_000)
    expect(pushes(id).length).toBeLessThanOrEqual(40)
  })
})

/** When a push came that was tried again, and after what time it was. */
function triedAgain(id: string): { at: number; afterMs: number }[] {
  const own = Map.groupBy(pushes(id), ({ token }) => token)
  return [...own.values()].flatMap((list) =>
    list.slice(1).map((next, index) => {
      const at = list[index]?.at ?? 0
      return { at, afterMs: next.at - at }
    }),
  )
}

describe('a slow provider', () => {
  it('holds up neither the other providers nor the same provider for another app', async () => {
    const other = await createApp()
    const slow = await addDevices(ctx, providers, 'fcm', 200)
    await addDevices(ctx, providers, 'apns', 100)
    await addDevices(ctx, providers, 'webpush', 100)
    await addDevices(other, providers, 'fcm', 200)
    providers.faults.set(
      'fcm',
      // Until the faults are cleared.
      slow.map(({ token }) => ({ match: { token }, delayMs: 600_000 })),
    )
    dispatcher = startDispatcher()
    const id = await send()
    const otherId = await send({}, other)
    const { states } = await finish(otherId, other)
    expect(states.sent).toBe(200)
    const ofProviders = () =>
      store.query<{ provider: string; count: number }>(sql`
        select provider, count(*) from deliveries
        where app_id = ${ctx.app.id} and message_id = ${id} and state = 'sent' group by 1 order by 1`)
    const others = [
      { provider: 'apns', count: 100 },
      { provider: 'webpush', count: 100 },
    ]
    const before = await until(ofProviders, (sent) => sent.reduce((sum, { count }) => sum + count, 0) === 200)
    expect(before).toEqual(others)
    providers.faults.clear()
    await finish(id)
    expect(await ofProviders()).toEqual([others[0], { provider: 'fcm', count: 200 }, others[1]])
  })
})

describe('an answer', () => {
  it('whose body never ends is cut off, and the connection goes on', async () => {
    await addDevices(ctx, providers, 'apns', 30)
    providers.faults.set('apns', [{ match: { every: 3 }, then: 'endless' }])
    dispatcher = startDispatcher()
    const id = await send()
    expect((await finish(id)).states.sent).toBe(30)
    expect(pushes(id)).toHaveLength(30)
  })

  it('that never comes is waited for, tried once more, and ends as unknown until the device reports', async () => {
    const [device] = (await addDevices(ctx, providers, 'fcm', 1)) as [TestDevice]
    // A connection that breaks says the same as a silence of half a minute, and sooner.
    providers.faults.set('fcm', [{ then: effort.isLong ? 'hang' : 'reset' }])
    dispatcher = startDispatcher()
    const id = await sendTo(device)
    const { states, reasons } = await finish(id)
    expect({ ended: states.ended, unknown: reasons.unknown }).toEqual({ ended: 1, unknown: 1 })
    expect(pushes(id).map(({ isTaken }) => isTaken)).toEqual([true, true])
    const receipt = { messageId: id, kind: 'shown', actionId: '', happenedAt: new Date() } as const
    await recordReceipts(ctx, { installationId: device.installationId, receipts: [receipt] })
    const lifted = await getMessage(ctx, { id })
    expect({ shown: lifted.states.shown, ended: lifted.states.ended, unknown: lifted.reasons.unknown }).toEqual({
      shown: 1,
      ended: 0,
      unknown: 0,
    })
  })

  it.runIf(effort.isLong)(
    'that a half-open connection swallowed is found out, and the push is sent again',
    async () => {
      const devices = await addDevices(ctx, providers, 'fcm', 30)
      dispatcher = startDispatcher()
      await finish(await sendTo(devices[0] as TestDevice))
      providers.faults.set('fcm', [{ match: { first: 1 }, then: 'half-open' }])
      const id = await send()
      const { states, reasons } = await finish(id)
      expect({ sent: states.sent, unknown: reasons.unknown }).toEqual({ sent: 30, unknown: 0 })
      const tries = Map.groupBy(pushes(id), ({ token }) => token)
      expect(Math.max(...[...tries.values()].map((own) => own.length))).toBeLessThanOrEqual(2)
      expect((await inspectSend(store, providers.record, { appId: ctx.app.id, messageId: id })).problems).toEqual([])
    },
  )

  it.runIf(effort.isLong)('that never comes does not keep the service from ending', async () => {
    const devices = await addDevices(ctx, providers, 'fcm', 20)
    const hanging = devices.slice(0, 3)
    providers.faults.set(
      'fcm',
      hanging.map(({ token }) => ({ match: { token, first: 1 }, then: 'hang' as const })),
    )
    dispatcher = startDispatcher()
    const id = await send()
    await until(
      () => pushes(id).length,
      (count) => count === 20,
    )
    await dispatcher.stop()
    expect((await getMessage(ctx, { id })).states).toMatchObject({ sent: 17, queued: 3 })
    dispatcher = startDispatcher()
    expect((await finish(id)).states.sent).toBe(20)
    const again = pushes(id)
      .slice(20)
      .map(({ token }) => token)
    expect(again.sort()).toEqual(hanging.map(({ token }) => token).sort())
  })

  it('of 500 to everything opens the breaker: few are tried until one is taken again', async () => {
    await addDevices(ctx, providers, 'fcm', 4_000)
    providers.faults.set('fcm', [{ reason: 'INTERNAL' }])
    dispatcher = startDispatcher()
    const id = await send()
    await until(
      () =>
        store.query(sql`
          select from delivery_batches where app_id = ${ctx.app.id} and message_id = ${id} and lease_holder is null
            and stream <> 'expand' and available_at > now()`),
      (rows) => rows.length > 0,
    )
    expect(pushes(id).length).toBeLessThanOrEqual(1_100)
    providers.faults.clear()
    await until(
      () => getMessage(ctx, { id }),
      ({ states }) => states.sent > 0,
    )
  })
})

describe('the endpoint that gives out access tokens', () => {
  it.each([
    ['503', { status: 503 }],
    ['a page of HTML', { then: 'html' }],
    ['a reset', { then: 'reset' }],
    ['an answer without an end', { then: 'endless' }],
    ['429', { status: 429, retryAfter: 30 }],
  ] as [string, FaultRule][])('may answer %s: the message waits, and nobody is paused', async (_what, rule) => {
    const [device] = (await addDevices(ctx, providers, 'fcm', 1)) as [TestDevice]
    providers.faults.set('oauth', [rule])
    dispatcher = startDispatcher()
    const id = await sendTo(device)
    const attempts = await until(
      () =>
        store.query<{ outcome: string }>(
          sql`select outcome from delivery_attempts where app_id = ${ctx.app.id} and message_id = ${id}`,
        ),
      (rows) => rows.length > 0,
    )
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['later'])
    expect(pushes(id)).toEqual([])
    expect((await listProviders(ctx)).map(({ paused }) => paused)).toEqual([undefined, undefined, undefined])
  })
})

describe('TLS', () => {
  const withApns = (change: object): External => ({
    ...external,
    simulated: { ...(external.simulated as NonNullable<External['simulated']>), ...change },
  })

  it('with a certificate of somebody else carries nothing, and the message waits', async () => {
    const { tls } = await createProviderKeys()
    const [device] = (await addDevices(ctx, providers, 'apns', 1)) as [TestDevice]
    dispatcher = startDispatcher({ external: withApns({ ca: tls.certificate }) })
    const id = await sendTo(device)
    const [attempt] = await until(
      () =>
        store.query<{ outcome: string; detail: string }>(
          sql`select outcome, detail from delivery_attempts where app_id = ${ctx.app.id} and message_id = ${id}`,
        ),
      (attempts) => attempts.length > 0,
    )
    expect(attempt).toMatchObject({ outcome: 'later', detail: expect.stringMatching(/certificate|signature/i) })
    expect(pushes(id)).toEqual([])
    expect((await getMessage(ctx, { id })).progress.waiting).toBe(1)
  })

  it('is never left out, whatever the other side speaks', async () => {
    const firstBytes: number[] = []
    const plain = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', (bytes) => {
        firstBytes.push(bytes[0] as number)
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
      })
    }).listen(0, '127.0.0.1')
    await once(plain, 'listening')
    const url = `https://localhost:${(plain.address() as AddressInfo).port}`
    const [device] = (await addDevices(ctx, providers, 'apns', 1)) as [TestDevice]
    dispatcher = startDispatcher({ external: withApns({ apns: { production: url, sandbox: url } }) })
    const id = await sendTo(device)
    await until(
      () => store.query(sql`select from delivery_attempts where app_id = ${ctx.app.id} and message_id = ${id}`),
      (attempts) => attempts.length > 0,
    )
    const handshake = 22
    expect(new Set(firstBytes)).toEqual(new Set([handshake]))
    expect((await getMessage(ctx, { id })).progress.waiting).toBe(1)
    plain.close()
  })
})

describe('a provider that calls everybody gone', () => {
  it('in answer to personal messages is doubted too, and the operator is told', async () => {
    const devices = await addDevices(ctx, providers, 'fcm', 60)
    providers.faults.set('fcm', [{ reason: 'UNREGISTERED' }])
    dispatcher = startDispatcher()
    for (const device of devices) await finish(await sendTo(device))
    const alerts = await until(
      () => listAlerts(ctx, {}),
      (list) => list.length > 0,
    )
    expect(alerts.map(({ kind }) => kind)).toEqual(['mass-invalidation'])
    const removed = await store.query(
      sql`select from installations where app_id = ${ctx.app.id} and uninstalled_at is not null`,
    )
    expect(removed.length).toBeLessThan(10)
  })
})
