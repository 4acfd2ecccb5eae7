import { addDevices, createDelivery, type TestDevice } from '@peyk/test/delivery.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OutwardContext } from '#base/context.ts'
import { explainMessage } from '../../explain/explain-message.ts'
import { notifyUsers } from '../../messages/send/notify-users.ts'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { sendToUsers } from '../../messages/send/send-to-users.ts'
import { deleteUser } from '../../privacy/delete-user.ts'
import { verifyInvariants } from '../../statistics/invariants/verify-invariants.ts'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import { advanceDeliveries } from '../progress/advance-deliveries.ts'
import { getMessage } from '../read/get-message.ts'
import { listDeliveries } from '../read/list-deliveries.ts'

const { providers, store, createApp, startDispatcher } = await createDelivery()

let ctx: OutwardContext
let dispatcher: Dispatcher

beforeEach(async () => {
  ctx = await createApp()
  dispatcher = startDispatcher()
})

afterEach(async () => {
  providers.faults.clear()
  await dispatcher.stop()
})

const sale = {
  content: 'Hello',
  notification: { title: 'Sale' },
  contents: { fa: { content: 'سلام', notification: { title: 'حراج' } }, de: { notification: { title: 'Ausverkauf' } } },
}

async function speak(devices: readonly TestDevice[], languages: readonly (string | null)[]): Promise<void> {
  for (const [index, { installationNo }] of devices.entries()) {
    await store.query(sql`
      update installations set language = ${languages[index] ?? null}
      where app_id = ${ctx.app.id} and installation_no = ${installationNo}`)
  }
}

async function settled(id: string) {
  return until(
    () => getMessage(ctx, { id }),
    ({ progress }) => progress.waiting === 0,
  )
}

async function findBroken(): Promise<string[]> {
  const verdicts = await verifyInvariants({ store }, { onVerdict: () => {} })
  const counters = verdicts.filter(({ name }) => name.startsWith('counters of'))
  expect(counters.length).toBeGreaterThan(4)
  return counters.filter(({ broken }) => broken > 0).map(({ name }) => name)
}

describe('a message in several languages', () => {
  it.each(['fcm', 'apns', 'webpush'] as const)('reaches each in their own over %s, and says so', async (provider) => {
    const devices = await addDevices(ctx, providers, provider, 4)
    await speak(devices, ['fa-IR', 'de', 'en', null])
    const users = devices.map(({ userId }) => userId)
    const { id } = (await notifyUsers(ctx, { users, ...sale })) as { id: string }
    const { states, languages } = await settled(id)
    expect([states.sent, languages]).toEqual([4, { fa: 1, de: 1, default: 2 }])
    const seen = JSON.stringify(providers.record.list({ messageId: id }).map(({ payload }) => payload))
    for (const [title, times] of [
      ['حراج', 1],
      ['Ausverkauf', 1],
      ['Sale', 2],
    ] as const) {
      expect(seen.split(`"${title}`).length - 1).toBe(times)
    }
    const { data } = await listDeliveries(ctx, { id })
    const own = new Map(data.map(({ userId, language }) => [userId, language]))
    expect(users.map((userId) => own.get(userId))).toEqual(['fa', 'de', 'default', 'default'])
    expect(await findBroken()).toEqual([])
  })

  it('is counted by language as it goes to many, and stays counted when a user is deleted', async () => {
    const devices = await addDevices(ctx, providers, 'fcm', 30)
    await speak(devices, [...Array(10).fill('fa'), ...Array(5).fill('de-AT')])
    const { id } = await sendByQuery(ctx, { target: {}, ...sale })
    expect((await settled(id)).languages).toEqual({ fa: 10, de: 5, default: 15 })
    const counted = await store.query(sql`select from language_counters where app_id = ${ctx.app.id}`)
    expect(counted.length).toBeGreaterThan(0)
    await deleteUser(ctx, { userId: devices[0]?.userId as string })
    expect((await getMessage(ctx, { id })).languages).toEqual({ fa: 10, de: 5, default: 15 })
    expect(await findBroken()).toEqual([])
  })

  it('stays counted when a user of few is deleted', async () => {
    const devices = await addDevices(ctx, providers, 'fcm', 2)
    await speak(devices, ['fa', 'fa'])
    const { id } = await sendByQuery(ctx, { target: {}, ...sale })
    await settled(id)
    await deleteUser(ctx, { userId: devices[0]?.userId as string })
    expect((await getMessage(ctx, { id })).languages).toEqual({ fa: 2, de: 0, default: 0 })
    expect(await findBroken()).toEqual([])
  })

  it('has no language where nothing was handed over', async () => {
    const [device] = (await addDevices(ctx, providers, 'fcm', 1)) as [TestDevice]
    await speak([device], ['fa'])
    const long = { fa: { content: `{{ user.none }}${'x'.repeat(5_000)}` } }
    const { id } = (await notifyUsers(ctx, { user: device.userId, content: 'x', contents: long })) as { id: string }
    const { reasons, languages } = await settled(id)
    expect([reasons.refused, languages]).toEqual([1, { fa: 0, default: 0 }])
  })

  it('gets its language noted also when the device was quicker to report', async () => {
    const devices = await addDevices(ctx, providers, 'fcm', 25)
    await speak(devices, Array(25).fill('fa'))
    await dispatcher.stop()
    const { id } = await sendByQuery(ctx, { target: {}, ...sale })
    const [first] = devices as [TestDevice]
    await store.transaction((tx) =>
      advanceDeliveries(tx, [
        { appId: ctx.app.id, messageId: id, installationNo: first.installationNo, state: 'shown', at: ctx.now() },
      ]),
    )
    dispatcher = startDispatcher()
    const { languages } = await until(
      () => getMessage(ctx, { id }),
      (message) => message.languages?.fa === 25,
    )
    expect(languages).toEqual({ fa: 25, de: 0, default: 0 })
    expect(await findBroken()).toEqual([])
  })

  it('is explained: which language a device got, and why', async () => {
    const devices = await addDevices(ctx, providers, 'fcm', 3)
    await speak(devices, ['fa_IR', 'en', null])
    const users = devices.map(({ userId }) => userId)
    const { id } = (await sendToUsers(ctx, { users, ...sale })) as { id: string }
    await settled(id)
    const story = async (user: string) =>
      (await explainMessage(ctx, { id, user })).installations[0]?.story.find(({ kind }) => kind === 'language')
    const [persian, english, unknown] = await Promise.all(users.map(story))
    expect(persian).toMatchObject({
      text: 'It is written in "fa": the installation’s language is "fa_IR".',
      says: [{ code: 'language', language: 'fa', own: 'fa_IR' }],
    })
    expect(english?.text).toBe('It has the message’s plain texts: there are none in the installation’s language, "en".')
    expect(unknown?.text).toBe('It has the message’s plain texts: the installation has no language.')
    await speak(devices, ['de', 'en', 'fa'])
    expect((await story(users[0] as string))?.text).toBe(
      'It was handed over in "fa". The installation’s language is "de" now.',
    )
    expect((await story(users[2] as string))?.text).toBe(
      'It was handed over with the message’s plain texts. The installation’s language is "fa" now.',
    )
  })

  it('asks nothing more of messages without languages', async () => {
    const [device] = (await addDevices(ctx, providers, 'fcm', 1)) as [TestDevice]
    const { id } = (await sendToUsers(ctx, { user: device.userId, content: 'x' })) as { id: string }
    expect(await settled(id)).not.toHaveProperty('languages')
    expect((await listDeliveries(ctx, { id })).data[0]).not.toHaveProperty('language')
    const { installations } = await explainMessage(ctx, { id, user: device.userId })
    expect(installations[0]?.story.map(({ kind }) => kind)).not.toContain('language')
  })
})
