import { leaveMessage } from '@peyk/test/connection.ts'
import { silentLog } from '@peyk/test/database/test-store.ts'
import { addDevices, createDelivery } from '@peyk/test/delivery.ts'
import { findBroken } from '@peyk/test/invariants.ts'
import { isThorough } from '@peyk/test/runner/effort.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import sql from 'sql-template-tag'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import type { OutwardContext } from '#base/context.ts'
import { defaultDurations } from '#base/durations.ts'
import { listAlerts } from '#features/accounts/alerts/list-alerts.ts'
import { countWaiting } from '#features/backups/count-waiting.ts'
import { readRestoreHold } from '#features/backups/read-restore-hold.ts'
import { resumeSending } from '#features/backups/resume-sending.ts'
import { openSendingGate } from '#features/backups/sending-gate.ts'
import { givePhone, giveSms, readFallbacks, sendWithSms } from '#features/deliveries/fallback/fallback.test-support.ts'
import { advanceDeliveries } from '#features/deliveries/progress/advance-deliveries.ts'
import { getMessage } from '#features/deliveries/read/get-message.ts'
import { trackEvent } from '#features/events/track/track-event.ts'
import { sendToUsers } from '#features/messages/send/send-to-users.ts'
import { addWebhook, emitUsers, startReceiver } from '#features/webhooks/webhooks.test-support.ts'
import { createWorker } from './worker.ts'

const { providers, store, external: simulated, createApp } = await createDelivery()
const external = { ...simulated, webhooksMayBeLocal: true }
const services = { store, log: silentLog, now: () => new Date(), external }

const recordRestore = () =>
  store.query(
    sql`insert into restores (backup_made_at, restored_at) values (now() - interval '1 hour', clock_timestamp())`,
  )

async function startHeldWorker() {
  const gate = await openSendingGate(services)
  const worker = createWorker({ ...services, gate, pushesPerSecond: 10_000, durations: defaultDurations })
  worker.start()
  onTestFinished(() => worker.stop())
  return gate
}

/** The worker is at work, and has looked often enough to have sent what it may send. */
async function isAtWork(ctx: OutwardContext, userId: string) {
  const [user] = await store.query<{ user_no: number }>(
    sql`select user_no from users where app_id = ${ctx.app.id} and user_id = ${userId}`,
  )
  const readAdoptions = () => store.query(sql`select 1 from event_adoptions where app_id = ${ctx.app.id}`)
  for (let round = 0; round < 2; round++) {
    await trackEvent(ctx, { userId, eventName: 'Open' })
    await store.query(sql`
      insert into event_adoptions select ${ctx.app.id}, ${user?.user_no}, installation_no from installations
      where app_id = ${ctx.app.id} and user_no = ${user?.user_no} on conflict do nothing`)
    await poll(readAdoptions).toEqual([])
  }
}

/** Without the questions whether a token still lives: those are no messages. */
const received = (provider: 'fcm' | 'sms') =>
  providers.record.list({ provider }).filter(({ isValidateOnly }) => !isValidateOnly)

async function leaveWaiting() {
  const ctx: OutwardContext = { ...((await createApp()) as OutwardContext), external }
  const [device] = await addDevices(ctx, providers, 'fcm', 1, `held-${ctx.app.id}`)
  const userId = device?.userId as string
  await giveSms(ctx, providers)
  await givePhone(ctx, 'nobody', '+989121234567')
  const receiver = await startReceiver()
  await addWebhook(ctx, receiver.url)
  const push = (await sendToUsers(ctx, { user: userId, content: 'old' })) as { id: string }
  const sms = await sendWithSms(ctx, ['nobody'])
  await emitUsers(ctx, 2)
  return { ctx, userId, receiver, push: push.id, sms }
}

beforeEach(() => providers.record.clear())

it.runIf(isThorough)('a restored service sends nothing until it is told to, and then all that waited', async () => {
  const { ctx, userId, receiver, push, sms } = await leaveWaiting()
  await recordRestore()
  const gate = await startHeldWorker()
  await poll(() => listAlerts(ctx)).toMatchObject([{ kind: 'restored', text: expect.stringMatching(/peyk resume/) }])
  await isAtWork(ctx, userId)
  expect(await countWaiting({ store })).toMatchObject({ deliveries: 1, sms: 1, webhookCalls: 2 })
  expect([...received('fcm'), ...received('sms'), ...receiver.received]).toEqual([])
  expect(gate.isOpen()).toBe(false)

  expect(await resumeSending(services, { waiting: 'send' })).toEqual({ messages: 0, webhookCalls: 0 })
  await poll(() => [received('fcm').length, received('sms').length, receiver.received.length]).toEqual([1, 1, 2])
  await poll(async () => (await getMessage(ctx, { id: push })).states.sent).toBe(1)
  await poll(() => readFallbacks(ctx, sms)).toMatchObject([{ state: 'sent' }])
  expect(gate.isOpen()).toBe(true)
  expect(await listAlerts(ctx)).toEqual([])
  expect(await readRestoreHold({ store })).toBeUndefined()
  expect(await resumeSending(services, { waiting: 'send' })).toBeUndefined()
})

it.runIf(isThorough)('what waited can be discarded; what came since the restore is sent', async () => {
  const { ctx, userId, receiver, push, sms } = await leaveWaiting()
  const [sent] = await addDevices(ctx, providers, 'fcm', 1, `sent-${ctx.app.id}`)
  const delivered = await leaveMessage(ctx, sent?.installationId as string)
  const step = { appId: ctx.app.id, messageId: delivered, installationNo: sent?.installationNo as number }
  await store.transaction((tx) => advanceDeliveries(tx, [{ ...step, state: 'sent', provider: 'fcm', at: new Date() }]))
  const waiting = await leaveMessage(ctx, sent?.installationId as string)
  await recordRestore()
  await startHeldWorker()
  await isAtWork(ctx, userId)
  await emitUsers(ctx, 1, 7)
  const fresh = (await sendToUsers(ctx, { user: userId, content: 'new' })) as { id: string }
  await isAtWork(ctx, userId)
  expect(received('fcm')).toEqual([])

  expect(await resumeSending(services, { waiting: 'discard' })).toEqual({ messages: 3, webhookCalls: 2 })
  await poll(async () => (await getMessage(ctx, { id: fresh.id })).states.sent).toBe(1)
  await poll(() => receiver.received.map(({ body }) => body.data)).toEqual([{ userId: 'u7' }])
  await isAtWork(ctx, userId)
  expect(received('fcm')).toHaveLength(1)
  expect(received('sms')).toEqual([])
  expect((await getMessage(ctx, { id: push })).progress).toMatchObject({ cancelled: 1 })
  expect(await readFallbacks(ctx, sms)).toMatchObject([{ state: 'cancelled' }])
  // What was only in the inbox is cancelled; what went out by the provider too stays a message that was sent.
  const readInboxes = () =>
    store.query(sql`
      select m.id, m.cancelled_at is not null as is_cancelled, d.in_inbox, d.reason from deliveries d
      join messages m on m.app_id = d.app_id and m.id = d.message_id
      where m.id = any(${[delivered, waiting]}::uuid[]) order by m.id`)
  await poll(readInboxes).toEqual([
    { id: delivered, is_cancelled: false, in_inbox: false, reason: null },
    { id: waiting, is_cancelled: true, in_inbox: false, reason: 'cancelled' },
  ])
  expect(await findBroken(store)).toEqual([])
})

it('a service that was not restored sends at once', async () => {
  const gate = await openSendingGate(services)
  let starts = 0
  gate.whenOpen(() => starts++)
  expect([gate.isOpen(), starts]).toEqual([true, 1])
  await gate.stop()
})

it('a service that is stopped while it is held begins nothing', async () => {
  await recordRestore()
  const gate = await openSendingGate(services)
  let starts = 0
  gate.whenOpen(() => starts++)
  await gate.stop()
  await resumeSending(services, { waiting: 'send' })
  expect([gate.isOpen(), starts]).toEqual([false, 0])
})
