import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { addDevices, createDelivery, type TestDevice } from '@peyk/test/delivery.ts'
import { waitForStops } from '@peyk/test/patient-stops.ts'
import { isThorough } from '@peyk/test/runner/effort.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { changeApp } from '../../accounts/apps/change-app.ts'
import { explainMessage } from '../../explain/explain-message.ts'
import { notifyUsers } from '../../messages/send/notify-users.ts'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { sendToUsers } from '../../messages/send/send-to-users.ts'
import { replaceGlobalCodes } from '../../promo/replace-global-codes.ts'
import { cancelMessage } from '../control/cancel-message.ts'
import { pauseMessage } from '../control/pause-message.ts'
import { resumeMessage } from '../control/resume-message.ts'
import { settleCancelled } from '../control/settle-cancelled.ts'
import { onInbox } from '../inbox/inbox-notifier.ts'
import { advanceDeliveries } from '../progress/advance-deliveries.ts'
import { getMessage } from '../read/get-message.ts'
import type { Dispatcher } from './dispatcher.ts'

const { providers, store, createApp, startDispatcher } = await createDelivery()
waitForStops()

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

const everybody = { target: {}, content: 'Hello', notification: { title: 'Hello' } }

/** So that there is time to stop it, also on a machine that has much else to do. */
const slow = { pushesPerSecond: 30 }

async function restart(options: { pushesPerSecond?: number } = {}) {
  await dispatcher.stop()
  dispatcher = startDispatcher(options)
}

async function settled(id: string) {
  const message = await until(
    () => getMessage(ctx, { id }),
    ({ progress }) => progress.waiting === 0,
  )
  return { states: message.states, reasons: message.reasons }
}

function received(messageId: string) {
  return providers.record.list({ messageId })
}

async function sendTo(device: TestDevice, more: object = {}) {
  const { id } = (await sendToUsers(ctx, { user: device.userId, content: 'Hello', ...more })) as { id: string }
  return id
}

describe('a message', () => {
  it.each(['fcm', 'apns', 'webpush'] as const)('to one user goes out by %s', async (provider) => {
    const [device] = (await addDevices(ctx, providers, provider, 1)) as [TestDevice]
    const id = await sendTo(device)
    expect((await settled(id)).states).toMatchObject({ sent: 1, queued: 0, ended: 0 })
    const pushes = received(id)
    expect(pushes).toHaveLength(1)
    expect(pushes[0]).toMatchObject({ provider, isTaken: true })
  })

  it('to everybody reaches each installation once, whatever its platform', async () => {
    await addDevices(ctx, providers, 'fcm', 600)
    await addDevices(ctx, providers, 'apns', 150)
    await addDevices(ctx, providers, 'webpush', 40)
    const { id, count } = await sendByQuery(ctx, everybody)
    expect(count).toBe(790)
    expect((await settled(id)).states).toMatchObject({ sent: 790, queued: 0, ended: 0 })
    const tokens = received(id).map((push) => push.token)
    expect(tokens).toHaveLength(790)
    expect(new Set(tokens).size).toBe(790)
  })

  it('for installations without a token waits in the inbox, as a notification it has no way', async () => {
    const [device] = (await addDevices(ctx, providers, 'fcm', 1)) as [TestDevice]
    await store.query(
      sql`update installation_details set device_token = null, device_token_hash = null where app_id = ${ctx.app.id}`,
    )
    const message = await settled(await sendTo(device))
    expect(message.states).toMatchObject({ queued: 1, sent: 0, ended: 0 })
    const sent = (await notifyUsers(ctx, { user: device.userId, content: 'Hello' })) as { id: string }
    expect((await settled(sent.id)).reasons).toMatchObject({ 'no-provider': 1 })
  })

  it('does not go to a device that somebody else uses by now', async () => {
    await dispatcher.stop()
    const [first, second] = (await addDevices(ctx, providers, 'fcm', 2)) as [TestDevice, TestDevice]
    const id = await sendTo(first)
    await store.query(sql`
      update installations i set user_no = other.user_no from installations other
      where i.app_id = ${ctx.app.id} and i.installation_no = ${first.installationNo}
        and other.app_id = i.app_id and other.installation_no = ${second.installationNo}`)
    dispatcher = startDispatcher()
    expect((await settled(id)).reasons).toMatchObject({ refused: 1 })
    expect(received(id)).toEqual([])
  })

  it('is not said to have found nobody before the installation is gone', async () => {
    const [device] = (await addDevices(ctx, providers, 'fcm', 1)) as [TestDevice]
    providers.faults.set('fcm', [{ reason: 'UNREGISTERED' }])
    let id = ''
    await store.transaction(async (tx) => {
      await tx.query(sql`
        select from installations where app_id = ${ctx.app.id} and installation_no = ${device.installationNo} for no key update`)
      id = await sendTo(device)
      await until(
        () =>
          store.query(
            sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          ),
        (waiting) => waiting.length > 0,
      )
      expect((await getMessage(ctx, { id })).progress.waiting).toBe(1)
    })
    expect((await settled(id)).reasons).toMatchObject({ gone: 1 })
  })

  it('that expired while nothing was sent ends as expired', async () => {
    await dispatcher.stop()
    const [device] = (await addDevices(ctx, providers, 'fcm', 1)) as [TestDevice]
    const id = await sendTo(device, { ttl: 0.05 })
    await until(
      () => new Date(),
      (now) => Number(now) > Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) + 60,
    )
    dispatcher = startDispatcher()
    expect((await settled(id)).reasons).toMatchObject({ expired: 1 })
    expect(received(id)).toEqual([])
  })

  it('with promo codes gives each user one, and ends for those there are none left for', async () => {
    await addDevices(ctx, providers, 'fcm', 5)
    const [set] = await store.query<{ set_no: number }>(sql`
      insert into promo_sets (app_id, set_id, track_id, state, total_rows, codes) values (${ctx.app.id}, ${randomUUID()}, '', 'active', 3, 3)
      returning set_no`)
    await store.query(sql`
      insert into promo_codes (app_id, set_no, code) select ${ctx.app.id}, ${set?.set_no}, unnest(array['A-1', 'A-2', 'A-3'])`)
    const { id } = await sendByQuery(ctx, { target: {}, content: 'Code {{ promoCode }}', useAsAlert: true })
    const { states, reasons } = await settled(id)
    expect(states).toMatchObject({ sent: 3, ended: 2 })
    expect(reasons).toMatchObject({ 'promo-exhausted': 2 })
    const texts = received(id).map((push) => /Code (A-\d)/.exec(JSON.stringify(push.payload))?.[1])
    expect(texts.sort()).toEqual(['A-1', 'A-2', 'A-3'])
  })

  it('with promo codes ends for guests and new installations when the app withholds codes from them', async () => {
    const [old, young, guest] = (await addDevices(ctx, providers, 'fcm', 3)) as [TestDevice, TestDevice, TestDevice]
    await replaceGlobalCodes(ctx, { file: Readable.from(['A-1\nA-2\nA-3\n']) })
    await changeApp(ctx, { withholdCodesFromGuests: true, withholdCodesHours: 24 })
    await store.query(sql`
      update installations set created_at = now() - interval '23 hours', installed_at = now() - interval '9 days'
      where installation_no = ${young.installationNo}`)
    await store.query(sql`update installations set is_guest = true where installation_no = ${guest.installationNo}`)
    const withCode = { target: {}, content: 'Code {{ promoCode }}', useAsAlert: true }
    const { id } = await sendByQuery(ctx, withCode)
    const { states, reasons } = await settled(id)
    expect(states).toMatchObject({ sent: 1, ended: 2 })
    expect(reasons).toMatchObject({ 'promo-withheld': 2, 'promo-exhausted': 0 })
    expect(received(id).map(({ token }) => token)).toEqual([old.token])
    expect(await store.query(sql`select from promo_given where app_id = ${ctx.app.id}`)).toHaveLength(1)
    const plain = await sendByQuery(ctx, everybody)
    expect((await settled(plain.id)).states).toMatchObject({ sent: 3 })
    const { installations } = await explainMessage(ctx, { id, user: young.userId })
    expect(installations).toMatchObject([{ state: 'ended', reason: 'promo-withheld' }])
    expect(JSON.stringify(installations)).toContain('The app gives no promo codes to guests')
    await changeApp(ctx, { withholdCodesFromGuests: false, withholdCodesHours: 0 })
    const second = await sendByQuery(ctx, withCode)
    expect((await settled(second.id)).states).toMatchObject({ sent: 2, ended: 1 })
  })
})

describe('a send to many', () => {
  it('stops when it is cancelled', async () => {
    await addDevices(ctx, providers, 'fcm', 1_500)
    await restart(slow)
    const { id } = await sendByQuery(ctx, everybody)
    await until(
      () => received(id).length,
      (count) => count > 0,
    )
    const answer = await cancelMessage(ctx, { id })
    expect(answer).toEqual({ id, count: 1_500 - received(id).length, inFlight: 0, handedOver: received(id).length })
    const { states, reasons } = await settled(id)
    expect(reasons.cancelled).toBe(answer.count)
    expect(reasons.cancelled).toBeGreaterThan(0)
    expect(states.sent).toBe(answer.handedOver)
  })

  it.runIf(isThorough)('that is cancelled gives back the promo codes of those it was not handed to', async () => {
    const count = 1_200
    await addDevices(ctx, providers, 'fcm', count)
    const codes = Array.from({ length: count }, (_, index) => `CODE-${1_000 + index}`)
    await replaceGlobalCodes(ctx, { file: Readable.from([codes.join('\n')]) })
    await restart(slow)
    const withCode = { ...everybody, content: 'Your code: {{ promoCode }}' }
    const { id } = await sendByQuery(ctx, withCode)
    await until(
      () => received(id).length,
      (pushes) => pushes > 0,
    )
    const { handedOver } = await cancelMessage(ctx, { id })
    await settled(id)
    expect(handedOver).toBeLessThan(count)
    const given = async () => {
      const [row] = await store.query<{ codes: number; counted: number }>(sql`
        select count(*) as codes, (select given from promo_sets s where s.app_id = ${ctx.app.id}) as counted
        from promo_given where app_id = ${ctx.app.id}`)
      return row
    }
    expect((await given())?.codes).toBeGreaterThan(handedOver)
    await settleCancelled(ctx)
    expect(await given()).toEqual({ codes: handedOver, counted: handedOver })
    await restart()
    const again = await sendByQuery(ctx, withCode)
    const { states, reasons } = await settled(again.id)
    expect([states.sent, reasons['promo-exhausted']]).toEqual([count - handedOver, handedOver])
    expect(await given()).toEqual({ codes: count, counted: count })
  })

  it('stops when it is paused, and goes on when it is resumed', async () => {
    await addDevices(ctx, providers, 'fcm', 800)
    await restart(slow)
    const { id } = await sendByQuery(ctx, everybody)
    await until(
      () => received(id).length,
      (count) => count > 0,
    )
    await pauseMessage(ctx, { id })
    const held = () =>
      store.query(
        sql`select from delivery_batches where app_id = ${ctx.app.id} and state = 'queued' and lease_holder is not null`,
      )
    await until(held, (rows) => rows.length === 0)
    const { progress, states } = await getMessage(ctx, { id })
    expect(progress.paused).toBe(true)
    expect(states.sent).toBe(received(id).length)
    expect(states.sent).toBeLessThan(800)
    await restart()
    await resumeMessage(ctx, { id })
    expect((await settled(id)).states).toMatchObject({ sent: 800 })
    expect(new Set(received(id).map((push) => push.token)).size).toBe(800)
    expect(received(id)).toHaveLength(800)
  })

  it('that is cancelled while the provider is slow stops for all that still wait for a connection', async () => {
    await addDevices(ctx, providers, 'apns', 300)
    providers.faults.set('apns', [{ delayMs: 90_000 }])
    const { id } = await sendByQuery(ctx, everybody)
    await until(
      () => getMessage(ctx, { id }),
      ({ progress }) => progress.inFlight === 300,
    )
    const answer = await cancelMessage(ctx, { id })
    // Apple wants one push on each connection before it takes more: no more than these are on their way.
    expect(answer.inFlight).toBeLessThanOrEqual(10)
    expect(answer).toEqual({ id, count: 300 - answer.inFlight, inFlight: received(id).length, handedOver: 0 })
    expect((await getMessage(ctx, { id })).progress).toMatchObject({
      waiting: answer.inFlight,
      cancelled: answer.count,
    })
    providers.faults.clear()
    const end = await settled(id)
    expect(end.states.sent).toBe(answer.inFlight)
    expect(end.reasons.cancelled).toBe(answer.count)
    expect(received(id)).toHaveLength(answer.inFlight)
    expect(await cancelMessage(ctx, { id })).toMatchObject({
      count: end.reasons.cancelled,
      handedOver: end.states.sent,
    })
  })

  it.runIf(isThorough)(
    'that is paused while the provider is slow keeps what no provider has, and says how many these are',
    async () => {
      await addDevices(ctx, providers, 'fcm', 1_500)
      providers.faults.set('fcm', [{ delayMs: 90_000 }])
      const { id } = await sendByQuery(ctx, everybody)
      await until(
        () => getMessage(ctx, { id }),
        ({ progress }) => progress.inFlight === 1_500,
      )
      const answer = await pauseMessage(ctx, { id })
      const inFlight = received(id).length
      expect(answer).toEqual({ id, paused: true, waiting: 1_500 - inFlight, inFlight })
      providers.faults.clear()
      const { progress } = await until(
        () => getMessage(ctx, { id }),
        (message) => message.progress.inFlight === undefined,
      )
      expect(progress).toMatchObject({ paused: true, waiting: answer.waiting })
      expect(progress.waiting).toBeGreaterThan(0)
      expect(received(id)).toHaveLength(1_500 - progress.waiting)
      await resumeMessage(ctx, { id })
      expect((await settled(id)).states).toMatchObject({ sent: 1_500 })
      expect(new Set(received(id).map((push) => push.token)).size).toBe(1_500)
      expect(received(id)).toHaveLength(1_500)
    },
  )

  it('is shared by two processes without sending anything twice', async () => {
    await addDevices(ctx, providers, 'fcm', 1_000)
    const other = startDispatcher()
    const { id } = await sendByQuery(ctx, everybody)
    expect((await settled(id)).states).toMatchObject({ sent: 1_000 })
    expect(received(id)).toHaveLength(1_000)
    await other.stop()
  })

  it('does not keep a personal message waiting', async () => {
    await dispatcher.stop()
    dispatcher = startDispatcher({ pushesPerSecond: 50 })
    const devices = await addDevices(ctx, providers, 'fcm', 1_000)
    const { id } = await sendByQuery(ctx, everybody)
    await until(
      () => received(id).length,
      (count) => count > 0,
    )
    const personal = await sendTo(devices[0] as TestDevice)
    await until(
      () => received(personal).length,
      (count) => count === 1,
    )
    // All of them take 20 seconds.
    expect(received(id).length).toBeLessThan(1_000)
    await cancelMessage(ctx, { id })
    await settled(id)
  })
})

describe('a lease', () => {
  it('that ended is refused when its holder comes back, and another goes on', async () => {
    await dispatcher.stop()
    const devices = await addDevices(ctx, providers, 'fcm', 3)
    const id = await sendTo(devices[0] as TestDevice)
    await store.query(sql`
      update delivery_batches set lease_holder = ${randomUUID()}, available_at = now() - interval '1 second', attempts = 1
      where app_id = ${ctx.app.id}`)
    dispatcher = startDispatcher()
    expect((await settled(id)).states).toMatchObject({ sent: 1 })
    expect(received(id)).toHaveLength(1)
  })

  it('of a batch that is partly known goes on with the rest only', async () => {
    await dispatcher.stop()
    const devices = await addDevices(ctx, providers, 'fcm', 4)
    const { id } = (await sendToUsers(ctx, { users: devices.map(({ userId }) => userId), content: 'Hello' })) as {
      id: string
    }
    await store.query(sql`
      insert into deliveries (app_id, message_id, installation_no, state, provider, sent_at)
      values (${ctx.app.id}, ${id}, ${devices[0]?.installationNo}, 'sent', 'fcm', now())`)
    await store.query(sql`update delivery_batches set attempts = 1 where app_id = ${ctx.app.id}`)
    dispatcher = startDispatcher()
    expect((await settled(id)).states).toMatchObject({ sent: 4 })
    expect(received(id)).toHaveLength(3)
  })

  it('of a process that died says nothing of what was sent: when the message is cancelled that is not known', async () => {
    await dispatcher.stop()
    const devices = await addDevices(ctx, providers, 'fcm', 2)
    const id = await sendTo(devices[0] as TestDevice)
    const untouched = await sendTo(devices[1] as TestDevice)
    await store.query(sql`
      update delivery_batches set lease_holder = ${randomUUID()}, available_at = now() - interval '1 second', attempts = 1
      where app_id = ${ctx.app.id} and message_id = ${id}`)
    await store.query(sql`update messages set cancelled_at = now() where app_id = ${ctx.app.id}`)
    dispatcher = startDispatcher()
    expect((await settled(id)).reasons).toMatchObject({ unknown: 1, cancelled: 0 })
    expect((await settled(untouched)).reasons).toMatchObject({ unknown: 0, cancelled: 1 })
    expect([...received(id), ...received(untouched)]).toEqual([])
  })
})

describe('an installation that is connected', () => {
  async function connect({ installationNo }: TestDevice, isOpen = true) {
    const holder = randomUUID()
    await store.query(sql`insert into connection_holders values (${holder}, now() + interval '1 hour')`)
    await store.query(sql`
      insert into connections (app_id, installation_no, holder, connection_id, is_open)
      values (${ctx.app.id}, ${installationNo}, ${holder}, ${randomUUID()}, ${isOpen})`)
  }

  async function delivery(messageId: string) {
    const [row] = await store.query<{ state: string; provider: string; in_inbox: boolean }>(sql`
      select state, provider, in_inbox from deliveries where app_id = ${ctx.app.id} and message_id = ${messageId}`)
    return row
  }

  it.runIf(isThorough)(
    'is told to look into its inbox, and gets a push only when it does not acknowledge',
    async () => {
      const [silent, prompt] = (await addDevices(ctx, providers, 'fcm', 2)) as [TestDevice, TestDevice]
      await connect(silent)
      await connect(prompt)
      const notified: number[] = []
      const stopListening = onInbox(store, ({ installationNo }) => notified.push(installationNo) > 0)
      const [unread, read] = [await sendTo(silent), await sendTo(prompt)]
      await until(
        () => notified.length,
        (count) => count === 2,
      )
      stopListening()
      expect(await delivery(read)).toEqual({ state: 'queued', provider: 'connection', in_inbox: true })
      expect(received(read)).toEqual([])
      const { installationNo } = prompt
      await store.transaction((tx) =>
        advanceDeliveries(tx, [
          { appId: ctx.app.id, messageId: read, installationNo, state: 'delivered', at: new Date() },
        ]),
      )
      await until(
        () => received(unread).length,
        (count) => count === 1,
      )
      await until(
        () => getMessage(ctx, { id: unread }),
        ({ states }) => states.sent === 1,
      )
      await until(
        () => store.query(sql`select from delivery_batches where app_id = ${ctx.app.id}`),
        (batches) => batches.length === 0,
      )
      expect(received(read)).toEqual([])
      expect((await getMessage(ctx, { id: read })).states).toMatchObject({ delivered: 1, queued: 0 })
    },
  )

  it('is told of what the platform displays too, and of what waits because notifications are denied', async () => {
    const [shown, denied, notified] = (await addDevices(ctx, providers, 'fcm', 3)) as [
      TestDevice,
      TestDevice,
      TestDevice,
    ]
    for (const device of [shown, denied, notified]) await connect(device)
    await store.query(sql`
      update installation_details set token_status = 'DENIED'
      where app_id = ${ctx.app.id} and installation_no = ${denied.installationNo}`)
    const notifiedNos: number[] = []
    const stopListening = onInbox(store, ({ installationNo }) => notifiedNos.push(installationNo) > 0)
    const displayed = await sendTo(shown, { autoNotify: true, notification: { title: 'Shown by the platform' } })
    const waiting = await sendTo(denied)
    const only = { user: notified.userId, notification: { title: 'Only a notification' } }
    const { id: notification } = (await notifyUsers(ctx, only)) as { id: string }
    await until(
      () => notifiedNos.length,
      (count) => count === 2,
    )
    await settled(notification)
    stopListening()
    expect(notifiedNos.sort()).toEqual([shown.installationNo, denied.installationNo].sort())
    expect(received(displayed)).toHaveLength(1)
    expect(await delivery(displayed)).toEqual({ state: 'sent', provider: 'fcm', in_inbox: true })
    expect(await delivery(waiting)).toEqual({ state: 'queued', provider: 'connection', in_inbox: true })
    expect(await delivery(notification)).toMatchObject({ state: 'sent', in_inbox: false })
  })

  it.each(['UNREGISTERED', 'INVALID_ARGUMENT'])('keeps what its provider calls %s, and is not gone', async (reason) => {
    const [device] = (await addDevices(ctx, providers, 'fcm', 1)) as [TestDevice]
    await connect(device)
    providers.faults.set('fcm', [{ reason }])
    const id = await sendTo(device, { autoNotify: true, notification: { title: 'Shown by the platform' } })
    expect((await settled(id)).states).toMatchObject({ queued: 1, ended: 0 })
    expect(await delivery(id)).toEqual({ state: 'queued', provider: 'fcm', in_inbox: true })
    const { installationNo } = device
    const [row] = await store.query(sql`
      select i.uninstalled_at, d.device_token from installations i join installation_details d using (app_id, installation_no)
      where i.app_id = ${ctx.app.id} and i.installation_no = ${installationNo}`)
    expect(row).toEqual({ uninstalled_at: null, device_token: device.token })
  })

  it('gets nothing of a paused message before it is resumed', async () => {
    await dispatcher.stop()
    const [device] = (await addDevices(ctx, providers, 'fcm', 1)) as [TestDevice]
    await connect(device)
    const id = await sendTo(device, { silent: true })
    await pauseMessage(ctx, { id })
    // As if a process had taken the batch just before.
    await store.query(sql`update delivery_batches set state = 'queued' where app_id = ${ctx.app.id}`)
    dispatcher = startDispatcher()
    await until(
      () => store.query(sql`select from delivery_batches where app_id = ${ctx.app.id} and state = 'paused'`),
      (paused) => paused.length === 1,
    )
    expect(await delivery(id)).toBeUndefined()
    await resumeMessage(ctx, { id })
    await until(
      () => delivery(id),
      (row) => row?.in_inbox === true,
    )
  })

  it('alone gets a live message, when its app is open', async () => {
    const [open, background, away] = (await addDevices(ctx, providers, 'fcm', 3)) as TestDevice[]
    await connect(open as TestDevice)
    await connect(background as TestDevice, false)
    const users = [open, background, away].map((device) => device?.userId as string)
    const live = { content: 'Goal!', live: true }
    const personal = (await sendToUsers(ctx, { users, ...live })) as { id: string; count: number }
    const group = await sendByQuery(ctx, { target: {}, ...live })
    for (const { id, count } of [personal, group]) {
      expect(count).toBe(1)
      await settled(id)
      expect(await delivery(id)).toEqual({ state: 'queued', provider: 'connection', in_inbox: true })
      expect(received(id)).toEqual([])
    }
  })
})
