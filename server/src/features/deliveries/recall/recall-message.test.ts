import { Readable } from 'node:stream'
import { addDevices, createDelivery, type TestDevice } from '@peyk/test/delivery.ts'
import { recall } from '@peyk/test/recall.ts'
import { isThorough } from '@peyk/test/runner/effort.ts'
import { until } from '@peyk/test/runner/until.ts'
import { waitLimitMs } from '@peyk/test/runner/wait-limit.ts'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { notifyUsers } from '../../messages/send/notify-users.ts'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { sendToUsers } from '../../messages/send/send-to-users.ts'
import { replaceGlobalCodes } from '../../promo/replace-global-codes.ts'
import { cancelMessage } from '../control/cancel-message.ts'
import { resumeAllSending } from '../control/resume-all-sending.ts'
import { settleCancelled } from '../control/settle-cancelled.ts'
import { stopAllSending } from '../control/stop-all-sending.ts'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import { countFallbacks } from '../fallback/fallback-store.ts'
import { advanceDeliveries } from '../progress/advance-deliveries.ts'
import { getMessage } from '../read/get-message.ts'
import { listRecalled } from './list-recalled.ts'
import { recallMessage } from './recall-message.ts'
import { recordCleared } from './record-cleared.ts'

const { providers, store, createApp, startDispatcher } = await createDelivery()

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

/** Whoever waits so long fails the test. */
const longerThanATestMs = 1.5 * waitLimitMs
const hello = { content: 'Hello', notification: { title: 'Hello' } }

async function sent(id: string): Promise<string> {
  await until(
    () => getMessage(ctx, { id }),
    ({ progress }) => progress.waiting === 0,
  )
  return id
}

async function sendToAll(more: object = {}): Promise<string> {
  return sent((await sendByQuery(ctx, { ...hello, target: {}, ...more })).id)
}

/** The pushes that tell of a recall. */
function clears(id: string) {
  return providers.record.list().filter(({ payload }) => JSON.stringify(payload).includes(`"clear":"${id}"`))
}

async function move(id: string, { installationNo }: TestDevice, state: 'shown' | 'opened'): Promise<void> {
  const step = { appId: ctx.app.id, messageId: id, installationNo, state, at: new Date() }
  await store.transaction((tx) => advanceDeliveries(tx, [step]))
}

describe('a recall', () => {
  it('tells every device that was handed the message once, by its own provider, and counts in no statistics', async () => {
    for (const [provider, count] of [
      ['fcm', 30],
      ['apns', 4],
      ['webpush', 3],
    ] as const)
      await addDevices(ctx, providers, provider, count)
    const id = await sendToAll()
    const before = await getMessage(ctx, { id })
    const recalled = { cleared: 37, notReachable: 0 }
    expect(await recall(ctx, id)).toEqual({ id, cancelled: 0, ...recalled })
    expect(clears(id).map(({ token }) => token).length).toBe(37)
    expect(new Set(clears(id).map(({ token }) => token)).size).toBe(37)
    const after = await getMessage(ctx, { id })
    expect(after).toMatchObject({ state: 'recalled', recall: recalled, states: before.states, reasons: before.reasons })
    expect(after.recalledAt).toBeGreaterThan(0)
    expect(await recall(ctx, id)).toEqual({ id, cancelled: 0, ...recalled })
    expect(clears(id)).toHaveLength(37)
    expect(await getMessage(ctx, { id })).toMatchObject({ recalledAt: after.recalledAt })
    expect(await store.query(sql`select from recall_batches`)).toEqual([])
  })

  it('cancels what has not gone, with its SMS and its codes', async () => {
    await dispatcher.stop()
    const [device] = (await addDevices(ctx, providers, 'fcm', 1)) as [TestDevice]
    await replaceGlobalCodes(ctx, { file: Readable.from(['A\nB\n']) })
    const { id } = (await sendToUsers(ctx, {
      ...hello,
      user: device.userId,
      fallback: { content: 'Hello {{ promoCode }}', delay: 600 },
    })) as { id: string }
    expect(await recall(ctx, id)).toEqual({ id, cancelled: 1, cleared: 0, notReachable: 0 })
    expect(await countFallbacks(store, { appId: ctx.app.id, messageId: id })).toEqual({ cancelled: 1 })
    expect(await getMessage(ctx, { id })).toMatchObject({ state: 'recalled', progress: { cancelled: 1 } })
    expect(await store.query(sql`select from promo_given where message_id = ${id}`)).toEqual([])
  })

  it('waits for nobody where nothing was handed over and nobody sends', { timeout: waitLimitMs }, async () => {
    await dispatcher.stop()
    const [device] = (await addDevices(ctx, providers, 'fcm', 1)) as [TestDevice]
    const { id } = (await sendToUsers(ctx, { ...hello, user: device.userId })) as { id: string }
    const answer = { id, cancelled: 1, cleared: 0, notReachable: 0 }
    expect(await recallMessage(ctx, { id }, longerThanATestMs)).toEqual(answer)
    expect(await recallMessage(ctx, { id }, longerThanATestMs)).toEqual(answer)
  })

  it('waits for what a process holds, and may have handed over', async () => {
    await dispatcher.stop()
    const [device] = (await addDevices(ctx, providers, 'fcm', 1)) as [TestDevice]
    const { id } = (await sendToUsers(ctx, { ...hello, user: device.userId })) as { id: string }
    await store.query(sql`
      update delivery_batches set lease_holder = gen_random_uuid(), available_at = peyk_now() + interval '1 hour', stopped_at = peyk_now()
      where message_id = ${id}`)
    const answer = recallMessage(ctx, { id }, longerThanATestMs)
    await until(
      () => store.query(sql`select from recalls where message_id = ${id}`),
      (rows) => rows.length > 0,
    )
    await store.transaction(async (tx) => {
      const step = { appId: ctx.app.id, messageId: id, installationNo: device.installationNo, at: new Date() }
      await advanceDeliveries(tx, [{ ...step, state: 'sent', provider: 'fcm' }])
      await tx.query(sql`delete from delivery_batches where message_id = ${id}`)
    })
    dispatcher = startDispatcher()
    await settleCancelled(ctx)
    await listRecalled(ctx)
    expect(await answer).toEqual({ id, cancelled: 0, cleared: 1, notReachable: 0 })
  })

  it('stops a send half way: those who have it are told, the rest never gets it', async () => {
    await dispatcher.stop()
    await addDevices(ctx, providers, 'fcm', 30)
    const { id } = await sendByQuery(ctx, { ...hello, target: {}, throttle: { perMinute: 60 } })
    dispatcher = startDispatcher()
    await until(
      () => getMessage(ctx, { id }),
      ({ states }) => states.sent > 0,
    )
    const { cancelled, cleared, notReachable } = await recall(ctx, id)
    const told = clears(id).length
    expect(told).toBeGreaterThan(0)
    expect({ cancelled, cleared, notReachable }).toEqual({ cancelled: 30 - told, cleared: told, notReachable: 0 })
  })

  it('says who cannot be told, and keeps it for their next connection', async () => {
    const devices = await addDevices(ctx, providers, 'fcm', 3)
    const [webDevice] = (await addDevices(ctx, providers, 'webpush', 1)) as [TestDevice]
    const id = await sendToAll()
    const setToken = (device: TestDevice | undefined, token: string | null, status = 'ALLOWED') =>
      store.query(sql`
        update installation_details set device_token = ${token}, token_status = ${status}
        where app_id = ${ctx.app.id} and installation_no = ${device?.installationNo}`)
    await setToken(devices[0], null)
    await setToken(devices[1], 'a token that was allowed', 'DENIED')
    await setToken(webDevice, '{"endpoint":"https://web.push.apple.com/abc","keys":{}}')
    expect(await recall(ctx, id)).toEqual({ id, cancelled: 0, cleared: 1, notReachable: 3 })
    const marked = await store.query(sql`select from deliveries where message_id = ${id} and in_inbox`)
    expect(marked).toHaveLength(3)
  })

  it('tells who opened a message, which stays in the app, but not who opened a notification', async () => {
    const devices = (await addDevices(ctx, providers, 'fcm', 2)) as [TestDevice, TestDevice]
    const message = await sendToAll()
    await move(message, devices[0], 'opened')
    expect(await recall(ctx, message)).toMatchObject({ cleared: 2 })
    const { id } = (await notifyUsers(ctx, { ...hello, target: {} })) as { id: string }
    await sent(id)
    await move(id, devices[0], 'opened')
    expect(await recall(ctx, id)).toMatchObject({ cleared: 1, notReachable: 0 })
  })

  it.runIf(isThorough)(
    'is tried again when a provider does not take it, and waits while all sending is stopped',
    async () => {
      await addDevices(ctx, providers, 'fcm', 3)
      const id = await sendToAll()
      providers.faults.set('fcm', [{ match: { first: 2 }, status: 503, retryAfter: 1 }])
      await stopAllSending(ctx)
      expect(await recallMessage(ctx, { id }, 0)).toEqual({ id, cancelled: 0, cleared: 0, notReachable: 0, waiting: 3 })
      await settleCancelled(ctx)
      await listRecalled(ctx)
      expect(await getMessage(ctx, { id })).toMatchObject({ recall: { cleared: 0, notReachable: 0, waiting: 3 } })
      await resumeAllSending(ctx)
      expect(await recall(ctx, id)).toEqual({ id, cancelled: 0, cleared: 3, notReachable: 0 })
    },
  )

  it('of a dead token ends, and the device counts as not reachable', async () => {
    await addDevices(ctx, providers, 'fcm', 1)
    const id = await sendToAll()
    providers.faults.set('fcm', [{ reason: 'UNREGISTERED' }])
    expect(await recall(ctx, id)).toEqual({ id, cancelled: 0, cleared: 0, notReachable: 1 })
  })

  it('goes on where a process died that had begun to tell them', async () => {
    await addDevices(ctx, providers, 'fcm', 3)
    const id = await sendToAll()
    await dispatcher.stop()
    await recallMessage(ctx, { id }, 0)
    await settleCancelled(ctx)
    await listRecalled(ctx)
    await store.query(sql`
      update recall_batches set lease_holder = gen_random_uuid(), attempts = 1, available_at = peyk_now() where app_id = ${ctx.app.id}`)
    dispatcher = startDispatcher()
    expect(await recall(ctx, id)).toMatchObject({ cleared: 3 })
    expect(clears(id)).toHaveLength(3)
  })

  it('pushes nothing to who was told over its connection meanwhile', async () => {
    const [first] = (await addDevices(ctx, providers, 'fcm', 3)) as [TestDevice]
    const id = await sendToAll()
    await dispatcher.stop()
    await recallMessage(ctx, { id }, 0)
    await settleCancelled(ctx)
    await listRecalled(ctx)
    await recordCleared(ctx, { messageId: id, installationNo: first.installationNo })
    await recordCleared(ctx, { messageId: id, installationNo: first.installationNo })
    dispatcher = startDispatcher()
    expect(await recall(ctx, id)).toEqual({ id, cancelled: 0, cleared: 3, notReachable: 0 })
    expect(clears(id)).toHaveLength(2)
  })

  it('of a message that was cancelled before still takes it away', async () => {
    await addDevices(ctx, providers, 'fcm', 2)
    const id = await sendToAll()
    await cancelMessage(ctx, { id })
    expect(await recall(ctx, id)).toMatchObject({ cleared: 2 })
    expect(await getMessage(ctx, { id })).toMatchObject({ state: 'recalled' })
  })

  it('of a scheduled message cancels it', async () => {
    await addDevices(ctx, providers, 'fcm', 2)
    const { id } = await sendByQuery(ctx, { ...hello, target: {}, sendAt: Date.now() + 3_600_000 })
    expect(await recallMessage(ctx, { id })).toEqual({ id, cancelled: 2, cleared: 0, notReachable: 0 })
    expect(await getMessage(ctx, { id })).toMatchObject({ state: 'cancelled' })
  })

  it('of an unknown message is 404', async () => {
    await expect(recallMessage(ctx, { id: '019d9c3e-5a00-7c1b-9f3e-2b8f4a6d7c10' })).rejects.toMatchObject({
      code: 'not-found',
    })
  })
})
