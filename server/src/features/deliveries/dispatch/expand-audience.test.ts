import { randomUUID } from 'node:crypto'
import { addDevices, createDelivery, type TestDevice } from '@peyk/test/delivery.ts'
import { findBroken } from '@peyk/test/invariants.ts'
import { isThorough } from '@peyk/test/runner/effort.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { addTags } from '../../installations/tags/add-tags.ts'
import { removeTags } from '../../installations/tags/remove-tags.ts'
import { markUninstalled } from '../../installations/uninstalls/mark-uninstalled.ts'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { sendToUsers } from '../../messages/send/send-to-users.ts'
import { deleteUser } from '../../privacy/delete-user.ts'
import { cancelMessage } from '../control/cancel-message.ts'
import { finishMessages } from '../progress/finish-messages.ts'
import { getMessage } from '../read/get-message.ts'
import { expandAudience } from './expand-audience.ts'
import { sweepAudiences } from './sweep-audiences.ts'

const { providers, store, createApp, startDispatcher } = await createDelivery()
const lease = () => ({ holder: randomUUID(), ms: 10_000 })

it('stops after a range when it is told to, and whoever takes over goes on from there', async () => {
  const ctx = await createApp()
  await addDevices(ctx, providers, 'fcm', 3)
  await store.query(sql`alter table installations alter column installation_no restart with 120000`)
  await addDevices(ctx, providers, 'fcm', 4, 'later')
  await sendByQuery(ctx, { target: {}, content: 'Hello' })
  const batches = () =>
    store.query<{ stream: string; count: number | null }>(sql`
      select stream, cardinality(installation_nos) as count from delivery_batches where app_id = ${ctx.app.id} order by batch_no`)

  await expandAudience(ctx, lease(), () => false)
  expect(await batches()).toEqual([
    { stream: 'expand', count: null },
    { stream: 'fcm', count: 3 },
  ])
  await store.query(sql`update delivery_batches set available_at = now() where app_id = ${ctx.app.id}`)
  await expandAudience(ctx, lease(), () => true)
  expect(await batches()).toEqual([
    { stream: 'fcm', count: 3 },
    { stream: 'fcm', count: 4 },
  ])
})

async function listed(messageId: string) {
  const rows = await store.query<{ stream: string; numbers: string[] }>(sql`
    select stream, installation_nos as numbers from delivery_batches where message_id = ${messageId} order by batch_no`)
  return Object.fromEntries(rows.map(({ stream, numbers }) => [stream, numbers?.map(Number)]))
}

const numbersOf = (devices: readonly TestDevice[]) => devices.map(({ installationNo }) => installationNo)

it('goes to exactly those who were counted when the message was accepted, whatever changes until then', async () => {
  const ctx = await createApp()
  const devices = await addDevices(ctx, providers, 'fcm', 30)
  const tagged = devices.slice(0, 25)
  for (const { userId } of tagged) await addTags(ctx, { userId, tags: ['vip'] })
  const segment = { all: [{ name: 'tags', operator: 'include', value: ['vip'] }] }
  const { id, count } = await sendByQuery(ctx, { segment, content: 'Hello', notification: { title: 'Hello' } })
  expect(count).toBe(25)
  for (const { userId } of devices.slice(25)) await addTags(ctx, { userId, tags: ['vip'] })
  await removeTags(ctx, { userId: devices[0]?.userId as string, tags: ['vip'] })
  await addDevices(ctx, providers, 'fcm', 1, 'later')
  await markUninstalled(ctx, { installations: [devices[1] as TestDevice] })
  await deleteUser(ctx, { userId: devices[2]?.userId as string })

  await expandAudience(ctx, lease(), () => true)
  const { fcm, mixed } = await listed(id)
  expect([...(fcm ?? []), ...(mixed ?? [])].sort((a, b) => a - b)).toEqual(
    numbersOf(tagged.filter((_, index) => index !== 2)),
  )
  await deleteUser(ctx, { userId: devices[3]?.userId as string })
  const dispatcher = startDispatcher()
  const { states, reasons } = await until(
    () => getMessage(ctx, { id }),
    ({ progress }) => progress.waiting === 0,
  )
  expect([states.sent, reasons.gone]).toEqual([22, 3])
  await finishMessages(ctx)
  expect(await findBroken(store)).toEqual([])
  await dispatcher.stop()
})

it('is written down once for all messages of a request to the same people, and removed when all are cut', async () => {
  const ctx = await createApp()
  const devices = await addDevices(ctx, providers, 'fcm', 3)
  const sent = (await sendToUsers(ctx, [
    { user: '*', content: 'One' },
    { user: '*', content: 'Two' },
  ])) as { id: string; count: number }[]
  expect(sent.map(({ count }) => count)).toEqual([3, 3])
  const parts = () => store.query(sql`select from audience_parts where app_id = ${ctx.app.id}`)
  for (const { id } of sent) {
    await sweepAudiences(ctx)
    expect(await parts()).toHaveLength(1)
    expect(await expandAudience(ctx, lease(), () => true)).toBe(true)
    expect((await listed(id)).fcm).toEqual(numbersOf(devices))
  }
  await sweepAudiences(ctx)
  expect(await parts()).toEqual([])
})

it('puts each installation into the stream of the provider that its token is of', async () => {
  const ctx = await createApp()
  const android = await addDevices(ctx, providers, 'fcm', 2, 'android')
  const iphones = await addDevices(ctx, providers, 'apns', 2, 'iphone')
  const [browser] = await addDevices(ctx, providers, 'webpush', 1, 'browser')
  const setType = (device: TestDevice | undefined, type: string) =>
    store.query(sql`update installations set device_type = ${type} where installation_no = ${device?.installationNo}`)
  await setType(android[1], 'ios')
  await setType(iphones[1], 'android')
  const [bare] = await addDevices(ctx, providers, 'apns', 1, 'bare')
  await store.query(sql`
    update installation_details set device_token = null, device_token_hash = null
    where installation_no = ${bare?.installationNo}`)
  const { id } = await sendByQuery(ctx, { target: {}, content: 'Hello' })
  await expandAudience(ctx, lease(), () => true)
  expect(await listed(id)).toEqual({
    fcm: numbersOf(android),
    apns: numbersOf(iphones),
    webpush: [browser?.installationNo],
    mixed: [bare?.installationNo],
  })
})

it('goes by the rules of a message that an older version has accepted', async () => {
  const ctx = await createApp()
  const devices = await addDevices(ctx, providers, 'fcm', 3)
  const { id } = await sendByQuery(ctx, { target: {}, content: 'Hello' })
  await store.query(sql`update delivery_batches set audience_id = null where app_id = ${ctx.app.id}`)
  await expandAudience(ctx, lease(), () => true)
  expect((await listed(id)).fcm).toEqual(numbersOf(devices))
})

it.runIf(isThorough)(
  'is not waited for by who cancels the message, and what it brings after that is not sent',
  async () => {
    const ctx = await createApp()
    await addDevices(ctx, providers, 'fcm', 3)
    const { id } = await sendByQuery(ctx, { target: {}, content: 'Hello', notification: { title: 'Hello' } })
    const released = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const blocking = store.transaction(async (tx) => {
      await tx.query(sql`lock table installation_details`)
      held.resolve()
      await released.promise
    })
    await held.promise
    const expanding = expandAudience(ctx, lease(), () => true)
    await until(
      () => store.query(sql`select from pg_locks where relation = 'installation_details'::regclass and not granted`),
      (waiting) => waiting.length > 0,
    )
    await cancelMessage(ctx, { id })
    released.resolve()
    await Promise.all([blocking, expanding])
    const dispatcher = startDispatcher()
    const { reasons } = await until(
      () => getMessage(ctx, { id }),
      ({ progress }) => progress.waiting === 0,
    )
    expect(reasons).toMatchObject({ cancelled: 3 })
    expect(providers.record.list({ messageId: id })).toEqual([])
    await dispatcher.stop()
  },
)
