import { controlName } from '@peyk/contract'
import { addDevices, createDelivery, type TestDevice } from '@peyk/test/delivery.ts'
import { isThorough } from '@peyk/test/runner/effort.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OutwardContext } from '#base/context.ts'
import { changeApp } from '../../accounts/apps/change-app.ts'
import { createCategory } from '../../categories/create-category.ts'
import { changePreferences } from '../../categories/preferences/change-preferences.ts'
import { trackBulk } from '../../events/track/track-bulk.ts'
import { explainMessage } from '../../explain/explain-message.ts'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { sendToUsers } from '../../messages/send/send-to-users.ts'
import { deleteUser } from '../../privacy/delete-user.ts'
import { compareMessage } from '../../statistics/variants/compare-message.ts'
import { cancelMessage } from '../control/cancel-message.ts'
import { pauseMessage } from '../control/pause-message.ts'
import { resumeMessage } from '../control/resume-message.ts'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import { releasePaced } from '../pace/release-paced.ts'
import { advanceDeliveries } from '../progress/advance-deliveries.ts'
import { getMessage } from '../read/get-message.ts'
import { listDeliveries } from '../read/list-deliveries.ts'
import { assignVariant } from './assign-variant.ts'
import { findWinner } from './find-winner.ts'

const { providers, store, createApp, startDispatcher } = await createDelivery()

let ctx: OutwardContext
let dispatchers: Dispatcher[]

beforeEach(async () => {
  ctx = await createApp()
  dispatchers = [startDispatcher()]
})

afterEach(async () => {
  providers.faults.clear()
  await Promise.all(dispatchers.map((dispatcher) => dispatcher.stop()))
})

const variants = [
  { name: 'A', share: 50, notification: { title: 'Sale' } },
  { name: 'B', share: 50, notification: { title: 'Now' }, contents: { fa: { notification: { title: 'اکنون' } } } },
]
const sale = {
  content: 'Hello',
  notification: { title: 'Plain' },
  contents: { fa: { notification: { title: 'حراج' } } },
  variants,
}
const winner = { by: 'opened', after: '1h', testShare: 50, otherwise: 'A' }

async function sendToAll(message: object = {}): Promise<string> {
  return (await sendByQuery(ctx, { target: {}, ...sale, ...message })).id
}

function settled(id: string) {
  return until(
    () => getMessage(ctx, { id }),
    ({ progress }) => progress.waiting === 0,
  )
}

/** Until nobody is left but those who wait for the winner. */
function tested(id: string) {
  return until(
    () => compareMessage(ctx, { id }),
    (answer) => answer.winner?.state === 'waiting',
  )
}

function placesOf(id: string, devices: readonly TestDevice[], test: object) {
  return Map.groupBy(devices, ({ userId }) => {
    const place = assignVariant({ variants, ...test }, id, userId)
    return place.kind === 'tested' ? place.variant : place.kind
  })
}

async function readVariants(id: string): Promise<Map<string | undefined, string | undefined>> {
  const { data } = await listDeliveries(ctx, { id, limit: 1000 })
  return new Map(data.map(({ userId, variant }) => [userId, variant]))
}

function titlesOf(id: string): Map<string, string[]> {
  const titles = ['Sale', 'Now', 'Plain', 'حراج', 'اکنون']
  const pushes = providers.record.list({ messageId: id })
  return new Map(
    pushes.map(({ token, payload }) => {
      const text = JSON.stringify(payload)
      return [token, titles.filter((title) => text.includes(`"${title}`))]
    }),
  )
}

async function open(
  id: string,
  devices: readonly TestDevice[],
  state: 'opened' | 'acted' | 'dismissed' = 'opened',
): Promise<void> {
  const steps = devices.map(({ installationNo }) => {
    return { appId: ctx.app.id, messageId: id, installationNo, state, at: new Date() }
  })
  await store.transaction((tx) => advanceDeliveries(tx, steps))
}

/** As if the test had been two hours ago. */
async function makeDue(id: string): Promise<void> {
  await store.query(sql`
    update deliveries set tested_at = tested_at - interval '2 hours' where app_id = ${ctx.app.id} and message_id = ${id}`)
  await store.query(sql`
    update delivery_batches set available_at = now() where app_id = ${ctx.app.id} and message_id = ${id}`)
}

async function storyOf(id: string, user: string): Promise<string[]> {
  const { installations } = await explainMessage(ctx, { id, user })
  return installations.flatMap(({ story }) => story.map(({ text }) => text))
}

describe('variants', () => {
  it('reach each user as they were assigned, in their language, and are stored', async () => {
    const devices = await addDevices(ctx, providers, 'fcm', 40)
    await store.query(
      sql`update installations set language = 'fa-IR' where app_id = ${ctx.app.id} and installation_no % 2 = 0`,
    )
    const id = await sendToAll({ control: 20 })
    const { states, reasons } = await settled(id)
    const places = placesOf(id, devices, { control: 20 })
    const control = places.get('control') ?? []
    expect([states.sent, reasons.control]).toEqual([40 - control.length, control.length])
    const titles = titlesOf(id)
    const stored = await readVariants(id)
    for (const [name, own] of places) {
      for (const { userId, token, installationNo } of own) {
        expect(stored.get(userId)).toBe(name)
        const isPersian = installationNo % 2 === 0
        const expected = { control: undefined, A: ['Sale'], B: [isPersian ? 'اکنون' : 'Now'] }[name]
        expect(titles.get(token)).toEqual(expected)
      }
    }
  })

  it('are the same on all devices of a user, who counts once', async () => {
    const [first, second] = (await addDevices(ctx, providers, 'fcm', 2)) as [TestDevice, TestDevice]
    await store.query(sql`
      update installations i set user_no = o.user_no, login_user_no = o.user_no from installations o
      where i.app_id = ${ctx.app.id} and o.app_id = i.app_id and i.installation_no = ${second.installationNo}
        and o.installation_no = ${first.installationNo}`)
    const { id } = (await sendToUsers(ctx, { user: first.userId, ...sale })) as { id: string }
    expect((await settled(id)).states.sent).toBe(2)
    const titles = [...titlesOf(id).values()]
    expect(titles[0]).toEqual(titles[1])
    const counts = (await compareMessage(ctx, { id })).variants.map(({ assigned }) => assigned)
    expect(counts.toSorted()).toEqual([0, 1])
  })

  it('count users who dismissed it, except users who opened it as well', async () => {
    const devices = await addDevices(ctx, providers, 'fcm', 30)
    const id = await sendToAll()
    await settled(id)
    const places = placesOf(id, devices, {})
    const [a = [], b = []] = ['A', 'B'].map((name) => places.get(name))
    await open(id, [...a.slice(0, 4), ...b.slice(0, 2)], 'dismissed')
    await open(id, a.slice(4, 5))
    await store.query(sql`
      insert into receipts (app_id, message_id, installation_no, kind, happened_at, received_at)
      select ${ctx.app.id}, ${id}, installation_no, 'opened', now(), now()
      from unnest(${a.slice(2, 4).map(({ installationNo }) => installationNo)}::bigint[]) as opened(installation_no)`)
    const counts = (await compareMessage(ctx, { id })).variants
    expect(counts.map(({ dismissed, opened }) => ({ dismissed, opened }))).toEqual([
      { dismissed: 2, opened: 3 },
      { dismissed: 2, opened: 0 },
    ])
  })

  it('can be one wording against nothing, whatever the category', async () => {
    const devices = await addDevices(ctx, providers, 'fcm', 60)
    const id = (await sendByQuery(ctx, { target: {}, content: 'Hello', control: 50 })).id
    const { states, reasons } = await settled(id)
    expect(reasons.control).toBeGreaterThan(0)
    expect(states.sent).toBe(60 - reasons.control)
    const answer = await compareMessage(ctx, { id })
    expect(answer.variants).toMatchObject([{ name: 'default', assigned: states.sent, handedOver: states.sent }])
    expect(answer.control).toEqual({ share: 50, assigned: reasons.control })
    const left = devices.find(({ userId }) => assignVariant({ control: 50 }, id, userId).kind === 'control')
    expect(await storyOf(id, left?.userId as string)).toContain('The user is in the control group of this message.')
    const { data } = await listDeliveries(ctx, { id, reason: 'control' })
    expect(data.every(({ variant, detailCode }) => variant === controlName && detailCode === 'own-control')).toBe(true)
  })

  it('leave out whom the app’s control group keeps back, and count the unsubscribed', async () => {
    const devices = await addDevices(ctx, providers, 'fcm', 40)
    await createCategory(ctx, { id: 'news', name: { en: 'News' } })
    await changeApp(ctx, { controlGroup: 30 })
    await changePreferences(ctx, { userId: devices[0]?.userId as string, all: false })
    await changePreferences(ctx, { userId: devices[1]?.userId as string, all: false })
    const id = await sendToAll({ category: 'news' })
    const { reasons } = await settled(id)
    expect(reasons.control).toBeGreaterThan(0)
    const counts = await compareMessage(ctx, { id })
    expect(counts.variants.reduce((sum, { assigned }) => sum + assigned, 0)).toBe(40 - reasons.control)
    expect(counts.variants.reduce((sum, { handedOver }) => sum + handedOver, 0)).toBe(
      40 - reasons.control - reasons.unsubscribed,
    )
  })

  it('are compared by the goal with who got nothing', async () => {
    const devices = await addDevices(ctx, providers, 'fcm', 90)
    const id = await sendToAll({ control: 40, goal: { event: 'Purchase' } })
    await settled(id)
    const places = placesOf(id, devices, { control: 40 })
    const some = (name: string, count: number) => (places.get(name) ?? []).slice(0, count)
    const buyers = [...some('A', 2), ...some('B', 5), ...some('control', 3)]
    await trackBulk(
      ctx,
      buyers.map(({ userId }) => ({ userId, eventName: 'purchase', time: Date.now() })),
    )
    await open(id, some('A', 4))
    await open(id, some('B', 3), 'acted')
    const { by, notEnoughData, ...answer } = await compareMessage(ctx, { id })
    expect([by, notEnoughData]).toEqual(['event:Purchase', true])
    expect(answer.variants).toMatchObject([
      { name: 'A', opened: 4, acted: 0, goal: { reached: 2 }, liftMissing: 'notEnoughData' },
      { name: 'B', opened: 3, acted: 3, goal: { reached: 5 }, liftMissing: 'notEnoughData' },
    ])
    expect(answer.control).toMatchObject({ goal: { of: places.get('control')?.length, reached: 3 } })
    await deleteUser(ctx, { userId: buyers[0]?.userId as string })
    expect((await compareMessage(ctx, { id })).variants[0]).toMatchObject({ goal: { reached: 1 }, opened: 3 })
  })
})

describe('the winner', () => {
  it('is what the others get, when it is time', async () => {
    const devices = await addDevices(ctx, providers, 'fcm', 460)
    const mostTested = { ...winner, testShare: 70 }
    const id = await sendToAll({ winner: mostTested })
    expect((await tested(id)).winner).toMatchObject({ state: 'waiting', others: { assigned: 0 } })
    const places = placesOf(id, devices, { winner: mostTested })
    const [a = [], b = [], others = []] = ['A', 'B', 'others'].map((name) => places.get(name))
    expect((await getMessage(ctx, { id })).progress.waiting).toBe(others.length)
    expect(Math.min(a.length, b.length)).toBeGreaterThanOrEqual(100)
    await open(id, [...a.slice(0, 10), ...b.slice(0, 30)])
    dispatchers.push(startDispatcher(), startDispatcher(), startDispatcher())
    await makeDue(id)
    expect((await settled(id)).states.sent).toBe(devices.length)
    const titles = titlesOf(id)
    expect(providers.record.list({ messageId: id })).toHaveLength(devices.length)
    for (const { token } of [...b, ...others]) expect(titles.get(token)).toEqual(['Now'])
    for (const { token } of a) expect(titles.get(token)).toEqual(['Sale'])
    const answer = await compareMessage(ctx, { id })
    expect(answer.winner).toMatchObject({
      state: 'decided',
      variant: 'B',
      why: 'best',
      others: { assigned: others.length, handedOver: others.length },
    })
    expect(answer.variants.map(({ assigned, opened }) => [assigned, opened])).toEqual([
      [a.length, 10],
      [b.length, 30],
    ])
    expect(answer.variants[1]?.chanceOfBest).toBeGreaterThan(0.9)
    const story = await storyOf(id, others[0]?.userId as string)
    expect(story).toContain('Variant B, which won the test.')
    expect(story.some((line) => line.startsWith('It waited for the winner of the test'))).toBe(true)
    expect(await storyOf(id, a[0]?.userId as string)).toContain('Variant A.')
  })

  it('is what was said otherwise where too few were tested', async () => {
    const devices = await addDevices(ctx, providers, 'fcm', 30)
    const id = await sendToAll({ winner: { ...winner, otherwise: 'B' } })
    await tested(id)
    await open(id, placesOf(id, devices, { winner }).get('A') ?? [])
    await makeDue(id)
    await settled(id)
    expect((await compareMessage(ctx, { id })).winner).toMatchObject({ variant: 'B', why: 'notEnoughData' })
  })

  it('is not decided of a message that is paused or cancelled', async () => {
    await addDevices(ctx, providers, 'fcm', 30)
    const id = await sendToAll({ winner })
    await tested(id)
    await pauseMessage(ctx, { id })
    const message = { appId: ctx.app.id, id, trackId: undefined, test: { variants, winner } }
    const later = new Date(Date.now() + 3_700_000)
    expect(await findWinner(store, message, later)).toHaveProperty('waitsUntil')
    await resumeMessage(ctx, { id })
    await tested(id)
    const { count } = await cancelMessage(ctx, { id })
    expect(count).toBeGreaterThan(0)
    expect(await findWinner(store, message, later)).toHaveProperty('waitsUntil')
    expect((await compareMessage(ctx, { id })).winner).toMatchObject({ state: 'off' })
  })

  it('is not waited for past the end of the message', async () => {
    await addDevices(ctx, providers, 'fcm', 30)
    const id = await sendToAll({ winner: { ...winner, after: '2s' }, ttl: 3 })
    const { reasons, states } = await settled(id)
    expect([states.sent + reasons.expired, states.queued]).toEqual([30, 0])
  })

  it.runIf(isThorough)('is decided also where everybody goes at a pace', async () => {
    const devices = await addDevices(ctx, providers, 'fcm', 40)
    const id = await sendToAll({ winner, throttle: { perMinute: 1_200 } })
    const release = async <T>(read: () => Promise<T>) => {
      await releasePaced({ store })
      return read()
    }
    await until(
      () => release(() => compareMessage(ctx, { id })),
      (answer) => answer.winner?.state === 'waiting',
    )
    await store.query(sql`
      update delivery_batches set paced_from = now() where app_id = ${ctx.app.id} and message_id = ${id}`)
    await store.query(sql`update deliveries set tested_at = tested_at - interval '2 hours' where message_id = ${id}`)
    const { states } = await until(
      () => release(() => getMessage(ctx, { id })),
      ({ progress }) => progress.waiting === 0,
    )
    expect(states.sent).toBe(devices.length)
    expect((await compareMessage(ctx, { id })).winner).toMatchObject({ state: 'decided', variant: 'A' })
  })

  it('is decided once by all who ask at the same moment', async () => {
    await addDevices(ctx, providers, 'fcm', 30)
    const id = await sendToAll({ winner })
    await tested(id)
    const message = { appId: ctx.app.id, id, trackId: 'sale', test: { variants, winner } }
    const later = new Date(Date.now() + 3_700_000)
    const found = await Promise.all(Array.from({ length: 8 }, () => findWinner(store, message, later)))
    expect(new Set(found.map((each) => JSON.stringify(each))).size).toBe(1)
    expect(await store.query(sql`select from variant_decisions where app_id = ${ctx.app.id}`)).toHaveLength(1)
  })
})
