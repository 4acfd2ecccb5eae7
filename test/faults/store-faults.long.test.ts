import { Readable } from 'node:stream'
import type { Context } from '@peyk/server/base/context.ts'
import { openStore } from '@peyk/server/base/store/store.ts'
import type { Dispatcher } from '@peyk/server/features/deliveries/dispatch/dispatcher.ts'
import { getMessage } from '@peyk/server/features/deliveries/read/get-message.ts'
import { sendByQuery } from '@peyk/server/features/messages/send/send-by-query.ts'
import { replaceGlobalCodes } from '@peyk/server/features/promo/replace-global-codes.ts'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { addDevices, createDelivery } from '../helpers/delivery.ts'
import { findBroken } from '../helpers/invariants.ts'
import { effort } from '../helpers/runner/effort.ts'
import { until } from '../helpers/runner/until.ts'
import { countReceived, inspectSend } from './big-send.ts'

/** A send whose database, clock, segment or promo set is not what it was when it began. */

const { providers, store, createApp, startDispatcher } = await createDelivery()

let ctx: Context
let dispatcher: Dispatcher | undefined

beforeEach(async () => {
  providers.record.clear()
  ctx = await createApp()
})

afterEach(async () => {
  vi.useRealTimers()
  providers.faults.clear()
  await dispatcher?.stop()
  expect(await findBroken(store)).toEqual([])
})

const content = 'Your code: {{ promoCode }}'
const countPushes = () => countReceived(providers.record)
const inspect = (id: string) => inspectSend(store, providers.record, { appId: ctx.app.id, messageId: id })

async function send(more: object = {}): Promise<string> {
  return (await sendByQuery(ctx, { target: {}, content: 'Hello', ...more })).id
}

/** The sessions of this test are ended too now and then. */
async function isFinished(id: string): Promise<boolean> {
  return getMessage(ctx, { id }).then(
    ({ progress }) => progress.waiting === 0,
    () => false,
  )
}

async function uploadCodes(count: number, prefix: string): Promise<void> {
  const codes = Array.from({ length: count }, (_, index) => `CODE-${prefix}${String(index).padStart(6, '0')}`)
  await replaceGlobalCodes(ctx, { file: Readable.from([codes.join('\n')]) })
}

describe('a batch', () => {
  it('that takes long puts back only once what has to be tried again', async () => {
    const devices = await addDevices(ctx, providers, 'fcm', 40)
    providers.faults.set('fcm', [
      ...devices.slice(0, 5).map(({ token }) => ({ match: { token }, reason: 'INTERNAL' })),
      ...devices.slice(20).map(({ token }) => ({ match: { token }, delayMs: 2_000 })),
    ])
    dispatcher = startDispatcher()
    const id = await send()
    await until(
      () => getMessage(ctx, { id }),
      ({ states }) => states.sent === 35,
    )
    const waiting = await until(
      () =>
        store.query<{ number: number; is_held: boolean }>(sql`
          select unnest(installation_nos) as number, lease_holder is not null as is_held from delivery_batches
          where app_id = ${ctx.app.id} and message_id = ${id} order by 1`),
      (rows) => rows.every(({ is_held }) => !is_held),
    )
    expect(waiting.map(({ number }) => number)).toEqual(devices.slice(0, 5).map(({ installationNo }) => installationNo))
    expect(countPushes()).toBe(40)
  })

  it('whose lease has ended is not taken a second time by who still holds it', async () => {
    await addDevices(ctx, providers, 'fcm', 300)
    providers.faults.set('fcm', [{ delayMs: 1_500 }])
    dispatcher = startDispatcher()
    const id = await send()
    await until(countPushes, (count) => count > 0)
    for (let taken = 1; taken < 5; taken++) {
      await store.query(sql`
        update delivery_batches set available_at = now() - interval '1 minute'
        where app_id = ${ctx.app.id} and lease_holder is not null`)
      await until(
        () =>
          store.query<{ attempts: number }>(
            sql`select attempts from delivery_batches where app_id = ${ctx.app.id} and message_id = ${id}`,
          ),
        (batches) => batches.every(({ attempts }) => attempts > taken),
      )
    }
    await until(() => isFinished(id), Boolean)
    expect(await inspect(id)).toMatchObject({ repeated: 0 })
  })

  it('ends although a provider answers with characters that cannot be stored', async () => {
    const bad = 'a\\u0000b\\ud800c'
    await addDevices(ctx, providers, 'fcm', 3)
    await addDevices(ctx, providers, 'apns', 3)
    await addDevices(ctx, providers, 'webpush', 3)
    providers.faults.set('fcm', [{ status: 400, body: `{"error":{"status":"${bad}","message":"${bad}"}}` }])
    providers.faults.set('apns', [{ status: 400, body: `{"reason":"${bad}"}` }])
    providers.faults.set('webpush', [{ status: 400, body: `a\u0000b${bad}` }])
    dispatcher = startDispatcher()
    const id = await send()
    await until(() => isFinished(id), Boolean)
    expect((await getMessage(ctx, { id })).reasons.refused).toBe(9)
    expect(countPushes()).toBe(9)
  })
})

describe('PostgreSQL', () => {
  it('that ends all sessions again and again loses nothing of a send and doubles nothing', async () => {
    const devices = effort.isLong ? 20_000 : 1_500
    await addDevices(ctx, providers, 'fcm', devices * 0.6)
    await addDevices(ctx, providers, 'apns', devices * 0.2)
    await addDevices(ctx, providers, 'webpush', devices * 0.2)
    await uploadCodes(devices, '1')
    providers.faults.set('fcm', [{ match: { every: 7 }, delayMs: 600 }])
    const own = openStore(store.url, { poolSize: 6 })
    dispatcher = startDispatcher({ store: own, pushesPerSecond: devices / 6 })
    const id = await send({ content })
    const rounds = effort.sessionsEnded
    for (let round = 0; round < rounds; round++) {
      await until(countPushes, (count) => count > (devices * (round + 0.5)) / (rounds + 1))
      await store
        .query(sql`
          select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`)
        .catch(() => undefined)
    }
    await until(() => isFinished(id), Boolean)
    expect(await inspect(id)).toMatchObject({ problems: [], installations: devices, codes: devices, repeated: 0 })
    await dispatcher.stop()
    await own.drain()
    await own.close()
  })
})

describe('the clock', () => {
  it.each([
    ['ahead', 1],
    ['back', -1],
  ])('that jumps %s by a day ends nothing early and sends nothing early', async (_way, days) => {
    for (const provider of ['fcm', 'apns', 'webpush'] as const) {
      await addDevices(ctx, providers, provider, 5)
      const rule = { match: { first: 5 }, status: 503, retryAfter: 1 }
      providers.faults.set(provider, [rule])
    }
    dispatcher = startDispatcher()
    const id = await send({ ttl: 3_600 })
    await until(
      () => store.query(sql`select from delivery_attempts where app_id = ${ctx.app.id} and message_id = ${id}`),
      (attempts) => attempts.length > 0,
    )
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(Date.now() + days * 86_400_000)
    await until(() => isFinished(id), Boolean)
    const { states } = await getMessage(ctx, { id })
    expect(states).toMatchObject({ sent: 15, ended: 0 })
    const times = Map.groupBy(providers.record.list({ messageId: id }), ({ token }) => token)
    const gaps = [...times.values()].flatMap((own) => own.slice(1).map(({ at }, index) => at - (own[index]?.at ?? 0)))
    expect(gaps.length).toBeGreaterThan(0)
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000)
    // What may be kept for a device that is away: most of the hour is left.
    const ttls = providers.record.list({ messageId: id, provider: 'webpush' }).map(({ headers }) => Number(headers.ttl))
    expect(Math.min(...ttls)).toBeGreaterThan(3_000)
  })
})

describe('what changes during a send', () => {
  it('does not widen it to installations that appear after it was accepted [sending.md#recipients]', async () => {
    await addDevices(ctx, providers, 'fcm', 600, 'early')
    const id = await send()
    const late = await addDevices(ctx, providers, 'fcm', 100, 'late')
    await store.query(sql`
      update installations set created_at = now() where app_id = ${ctx.app.id}
        and installation_no = any(${late.map(({ installationNo }) => installationNo)}::bigint[])`)
    dispatcher = startDispatcher({ pushesPerSecond: 300 })
    await until(countPushes, (count) => count > 50)
    const later = await addDevices(ctx, providers, 'fcm', 100, 'later')
    await until(() => isFinished(id), Boolean)
    const reached = new Set(providers.record.list({ messageId: id }).map(({ token }) => token))
    expect(reached.size).toBe(600)
    expect([...late, ...later].filter(({ token }) => reached.has(token))).toEqual([])
  })

  it('gives each user one code of the old or the new promo set [promo-codes.md#upload]', async () => {
    // More than are made ready to be sent while the provider does not answer.
    const devices = 4_500
    await addDevices(ctx, providers, 'fcm', devices)
    await uploadCodes(devices, '1')
    providers.faults.set('fcm', [{ delayMs: 600_000 }])
    dispatcher = startDispatcher()
    const id = await send({ content })
    await until(countPushes, (count) => count > 0)
    await uploadCodes(devices, '2')
    providers.faults.clear()
    await until(() => isFinished(id), Boolean)
    expect(await inspect(id)).toMatchObject({ problems: [], installations: devices, codes: devices, repeated: 0 })
    const codes = providers.record
      .list({ messageId: id })
      .map(({ payload }) => /CODE-\d/.exec(JSON.stringify(payload))?.[0])
    expect(new Set(codes)).toEqual(new Set(['CODE-1', 'CODE-2']))
  })
})
