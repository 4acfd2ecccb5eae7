import type { QuietHours } from '@peyk/contract'
import { addDevices, createDelivery, type TestDevice } from '@peyk/test/delivery.ts'
import { listenTo, readOutbox } from '@peyk/test/outbox.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { changeApp } from '../../accounts/apps/change-app.ts'
import { createCategory } from '../../categories/create-category.ts'
import { changePreferences } from '../../categories/preferences/change-preferences.ts'
import { explainMessage } from '../../explain/explain-message.ts'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { sendToUsers } from '../../messages/send/send-to-users.ts'
import { mayInterest } from '../../outbox/outbox.ts'
import { deleteUser } from '../../privacy/delete-user.ts'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import { getMessage } from '../read/get-message.ts'
import { isInControlGroup } from './control-group.ts'
import { emitCapped } from './emit-capped.ts'

const { providers, store, createApp, startDispatcher } = await createDelivery()

let ctx: Awaited<ReturnType<typeof createApp>>
let dispatchers: Dispatcher[]

beforeEach(async () => {
  ctx = await createApp()
  for (const id of ['news', 'orders']) await createCategory(ctx, { id, name: { en: id } })
  dispatchers = [startDispatcher()]
})

afterEach(async () => {
  providers.faults.clear()
  await Promise.all(dispatchers.map((dispatcher) => dispatcher.stop()))
})

const news = { content: 'Hello', notification: { title: 'Hello' }, category: 'news' }

async function sendToAll(message: object = {}): Promise<string> {
  return (await sendByQuery(ctx, { target: {}, ...news, ...message })).id
}

async function sendTo(userId: string, message: object = {}): Promise<string> {
  return ((await sendToUsers(ctx, { user: userId, ...news, ...message })) as { id: string }).id
}

async function settled(id: string) {
  const { states, reasons } = await until(
    () => getMessage(ctx, { id }),
    ({ progress }) => progress.waiting === 0,
  )
  return { sent: states.sent, reasons }
}

function tokensOf(messageId: string): string[] {
  return providers.record.list({ messageId }).map(({ token }) => token)
}

/** What waits in the work-list, and until when. */
async function readWaiting(id: string) {
  return store.query<{ available_at: Date; count: number }>(sql`
    select available_at, cardinality(installation_nos)::int as count from delivery_batches
    where app_id = ${ctx.app.id} and message_id = ${id} and lease_holder is null order by available_at`)
}

async function untilWaiting(id: string) {
  return until(
    () => readWaiting(id),
    (rows) => rows.length > 0 && rows.every(({ available_at }) => available_at > new Date()),
  )
}

async function makeDue(id: string): Promise<void> {
  await store.query(
    sql`update delivery_batches set available_at = now() where app_id = ${ctx.app.id} and message_id = ${id}`,
  )
}

/** Hours around this moment, in UTC. */
function quietNow(hoursLeft = 2): QuietHours {
  const clock = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)
  return { from: clock(-1), to: clock(hoursLeft) }
}

async function storyOf(id: string, user: string): Promise<string[]> {
  const { installations } = await explainMessage(ctx, { id, user })
  return installations.flatMap(({ story }) => story.map(({ text }) => text))
}

describe('the control group', () => {
  it('gets transactional messages and no others', async () => {
    const devices = await addDevices(ctx, providers, 'fcm', 60)
    await changeApp(ctx, { controlGroup: 50 })
    const control = devices.filter(({ userId }) => isInControlGroup(ctx.app.id, userId, 50))
    const id = await sendToAll()
    expect(await settled(id)).toMatchObject({
      sent: devices.length - control.length,
      reasons: { control: control.length },
    })
    expect(control.length).toBeGreaterThan(0)
    expect(tokensOf(id)).not.toContain(control[0]?.token)
    expect(await storyOf(id, control[0]?.userId as string)).toContain(
      'The user is in the control group, which gets no messages with a category.',
    )
    expect(await settled(await sendToAll({ category: undefined }))).toMatchObject({ sent: 60 })
    expect(await settled(await sendToAll({ category: 'transactional' }))).toMatchObject({ sent: 60 })
  })
})

describe('a user who does not want a category', () => {
  it('gets no message of it, and all others', async () => {
    const [one, two] = (await addDevices(ctx, providers, 'fcm', 2)) as [TestDevice, TestDevice]
    await changePreferences(ctx, { userId: one.userId, categories: { news: false } })
    const id = await sendToAll()
    expect(await settled(id)).toMatchObject({ sent: 1, reasons: { unsubscribed: 1 } })
    expect(tokensOf(id)).toEqual([two.token])
    expect(await settled(await sendToAll({ category: 'orders' }))).toMatchObject({ sent: 2 })
    await changePreferences(ctx, { userId: one.userId, categories: { news: true }, all: false })
    expect(await settled(await sendToAll({ category: 'orders' }))).toMatchObject({
      sent: 1,
      reasons: { unsubscribed: 1 },
    })
    expect(await settled(await sendToAll({ category: undefined }))).toMatchObject({ sent: 2 })
  })
})

describe('a cap', () => {
  beforeEach(() => changeApp(ctx, { caps: [{ count: 1, window: '24h', categories: ['news'] }] }))

  it('is told to webhooks by message, a minute after the first delivery that it ended', async () => {
    await listenTo(ctx, ['message.capped'])
    await addDevices(ctx, providers, 'fcm', 30)
    await settled(await sendToAll())
    const id = await sendToAll({ trackId: 'spring' })
    expect(await settled(id)).toMatchObject({ reasons: { capped: 30 } })
    await emitCapped(ctx)
    expect(await readOutbox(ctx)).toEqual([])

    const inAMinute = () => new Date(Date.now() + 60_000)
    await Promise.all([emitCapped({ store, now: inAMinute }), emitCapped({ store, now: inAMinute })])
    expect(await readOutbox(ctx)).toEqual([
      { kind: 'message.capped', body: { messageId: id, trackId: 'spring', count: 30 } },
    ])
    expect(await store.query(sql`select from capped_counts where app_id = ${ctx.app.id}`)).toEqual([])
  })

  it('leaves nothing for webhooks that do not want to know', async () => {
    await listenTo(ctx, ['message.delivered'])
    await until(
      async () => mayInterest(store, ctx.app.id, 'message.capped'),
      (may) => !may,
    )
    const [device] = (await addDevices(ctx, providers, 'fcm', 1)) as [TestDevice]
    await settled(await sendTo(device.userId))
    expect(await settled(await sendTo(device.userId))).toMatchObject({ reasons: { capped: 1 } })
    expect(await store.query(sql`select from capped_counts where app_id = ${ctx.app.id}`)).toEqual([])
  })

  it('lets as many messages pass as it says, counting each once for all devices of a user', async () => {
    const [phone] = (await addDevices(ctx, providers, 'fcm', 1, 'sara')) as [TestDevice]
    await addDevices(ctx, providers, 'apns', 1, 'sara')
    const first = await sendTo(phone.userId)
    expect(await settled(first)).toMatchObject({ sent: 2 })
    const second = await sendToAll()
    expect(await settled(second)).toMatchObject({ sent: 0, reasons: { capped: 2 } })
    expect((await storyOf(second, phone.userId)).at(-1)).toBe(
      `The user has had as many messages as a cap of the app allows. 1 in 24h, by ${first}.`,
    )
    for (const message of [{ category: undefined }, { category: 'orders' }]) {
      expect(await settled(await sendToAll(message))).toMatchObject({ sent: 2 })
    }
  })

  it('does not count a silent message', async () => {
    const [phone] = (await addDevices(ctx, providers, 'fcm', 1)) as [TestDevice]
    const silent = await sendTo(phone.userId, { silent: true, notification: undefined })
    await settled(silent)
    expect(await settled(await sendTo(phone.userId))).toMatchObject({ sent: 1 })
    expect((await settled(await sendTo(phone.userId))).reasons).toMatchObject({ capped: 1 })
  })

  it('makes a message wait that says so, until the cap allows it', async () => {
    const [phone] = (await addDevices(ctx, providers, 'fcm', 1)) as [TestDevice]
    const first = await sendTo(phone.userId)
    await settled(first)
    const second = await sendTo(phone.userId, { whenCapped: 'wait' })
    const [waiting] = await untilWaiting(second)
    const hours = ((waiting?.available_at.getTime() ?? 0) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(23.9)
    expect(hours).toBeLessThan(24.01)
    expect((await storyOf(second, phone.userId)).some((line) => line.includes(`has had 1 in 24h (${first})`))).toBe(
      true,
    )
    await store.query(sql`
      update recent_hand_overs set times = array(select t - interval '1 day' from unnest(times) t) where app_id = ${ctx.app.id}`)
    await makeDue(second)
    expect(await settled(second)).toMatchObject({ sent: 1 })
  })

  it('ends a message that would wait longer than it lives', async () => {
    const [phone] = (await addDevices(ctx, providers, 'fcm', 1)) as [TestDevice]
    await settled(await sendTo(phone.userId))
    const second = await sendTo(phone.userId, { whenCapped: 'wait', ttl: 3_600 })
    expect((await settled(second)).reasons).toMatchObject({ capped: 1 })
  })

  it('is not used up by what came to nobody', async () => {
    const [phone] = (await addDevices(ctx, providers, 'fcm', 1)) as [TestDevice]
    providers.faults.set('fcm', [{ status: 400, reason: 'INVALID_ARGUMENT' }])
    expect((await settled(await sendTo(phone.userId))).reasons).toMatchObject({ refused: 1 })
    providers.faults.clear()
    expect(await settled(await sendTo(phone.userId))).toMatchObject({ sent: 1 })
    expect((await settled(await sendTo(phone.userId))).reasons).toMatchObject({ capped: 1 })
  })

  it('holds when several workers hand over many messages at once', async () => {
    await changeApp(ctx, { caps: [{ count: 3, window: '24h' }] })
    const devices = await addDevices(ctx, providers, 'fcm', 80)
    dispatchers.push(...Array.from({ length: 3 }, () => startDispatcher()))
    const ids = await Promise.all(Array.from({ length: 7 }, () => sendToAll()))
    const personal = await Promise.all(devices.map(({ userId }) => sendTo(userId, { category: 'orders' })))
    for (const id of [...ids, ...personal]) await settled(id)
    const counts = new Map(devices.map(({ token }) => [token, 0]))
    for (const id of [...ids, ...personal])
      for (const token of tokensOf(id)) counts.set(token, (counts.get(token) ?? 0) + 1)
    expect(new Set(counts.values())).toEqual(new Set([3]))
  })

  it('forgets a user who is deleted', async () => {
    const [phone] = (await addDevices(ctx, providers, 'fcm', 1)) as [TestDevice]
    await changePreferences(ctx, { userId: phone.userId, categories: { orders: false } })
    await settled(await sendTo(phone.userId))
    await deleteUser(ctx, { userId: phone.userId })
    for (const table of [sql`recent_hand_overs`, sql`user_preferences`]) {
      expect(await store.query(sql`select from ${table} where app_id = ${ctx.app.id}`)).toEqual([])
    }
  })
})

describe('quiet hours', () => {
  it('make a message wait for their end, in no inbox, on each user’s own clock', async () => {
    const [here, there] = (await addDevices(ctx, providers, 'fcm', 2)) as [TestDevice, TestDevice]
    await store.query(sql`
      update installations set time_zone = case when installation_no = ${there.installationNo} then 'Etc/GMT+6' else 'Nowhere/Atall' end
      where app_id = ${ctx.app.id}`)
    const quietHours = quietNow()
    await changeApp(ctx, { quietHours })
    const id = await sendToAll()
    const [waiting] = await untilWaiting(id)
    expect(waiting?.available_at.toISOString().slice(11, 16)).toBe(quietHours.to)
    expect(tokensOf(id)).toEqual([there.token])
    expect(await store.query(sql`select from deliveries where message_id = ${id} and in_inbox`)).toHaveLength(1)
    const told = `(quiet hours ${quietHours.from}–${quietHours.to}, UTC).`
    expect(
      (await storyOf(id, here.userId)).some((line) => line.startsWith('It waited until') && line.endsWith(told)),
    ).toBe(true)
    expect(await settled(await sendTo(here.userId, { quietHours: 'ignore' }))).toMatchObject({ sent: 1 })
    expect(await settled(await sendTo(here.userId, { category: undefined }))).toMatchObject({ sent: 1 })
    await changeApp(ctx, { quietHours: null })
    await makeDue(id)
    expect(await settled(id)).toMatchObject({ sent: 2 })
  })

  it('end a message that expires before they do', async () => {
    const [phone] = (await addDevices(ctx, providers, 'fcm', 1)) as [TestDevice]
    await changeApp(ctx, { quietHours: quietNow() })
    const id = await sendTo(phone.userId, { ttl: 600 })
    expect((await settled(id)).reasons).toMatchObject({ expired: 1 })
    expect((await storyOf(id, phone.userId)).at(-1)).toContain('It would have expired before the quiet hours ended')
  })

  it('do not hold back the next message in the inbox', async () => {
    const [phone] = (await addDevices(ctx, providers, 'fcm', 1)) as [TestDevice]
    await changeApp(ctx, { quietHours: quietNow() })
    await untilWaiting(await sendTo(phone.userId))
    expect(await settled(await sendTo(phone.userId, { category: undefined }))).toMatchObject({ sent: 1 })
  })
})
