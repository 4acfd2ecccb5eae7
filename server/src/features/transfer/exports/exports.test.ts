import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { RowFile } from '#base/answers/row-file.ts'
import { advanceDeliveries } from '../../deliveries/progress/advance-deliveries.ts'
import { addInstallation } from '../../events/events.test-support.ts'
import { trackBulk } from '../../events/track/track-bulk.ts'
import { trackPurchase } from '../../events/track/track-purchase.ts'
import { setAttributes } from '../../installations/attributes/set-attributes.ts'
import { registerInstallation } from '../../installations/register/register-installation.ts'
import { addTags } from '../../installations/tags/add-tags.ts'
import { addValueTag } from '../../installations/tags/add-value-tag.ts'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { exportDeliveries } from './export-deliveries.ts'
import { exportEvents } from './export-events.ts'
import { exportUsers } from './export-users.ts'

const store = await createTestStore()

async function objectsOf({ columns, rows }: RowFile): Promise<Record<string, unknown>[]> {
  const objects: Record<string, unknown>[] = []
  for await (const row of rows)
    objects.push(Object.fromEntries(Object.keys(columns).map((name, index) => [name, row[index]])))
  return objects
}

test('users come with tags, attributes and devices, and with push tokens when they are asked for', async () => {
  const [ctx, other] = [await createTestApp(store), await createTestApp(store)]
  const device = { deviceType: 'android', deviceToken: 'token-of-sara', clientVersion: '2.4.1' }
  const { id } = await registerInstallation(ctx, { ...device, userId: 'sara' })
  await addTags(ctx, { userId: 'sara', tags: ['vip'] })
  await addValueTag(ctx, { userId: 'sara', tag: 'city', value: 'tehran' })
  await setAttributes(ctx, { userId: 'sara', attributes: { age: 31 } })
  await addTags(ctx, { userId: 'omid', tags: ['new'] })
  await registerInstallation(other, { deviceType: 'web', userId: 'theirs' })
  const [sara, omid, ...others] = await objectsOf(await exportUsers(ctx, {}))
  expect(others).toEqual([])
  expect(sara).toMatchObject({
    ...{ userId: 'sara', isGuest: false, tags: { vip: null, city: 'tehran' }, attributes: { age: 31 } },
    installations: [{ id, deviceType: 'android', clientVersion: '2.4.1' }],
  })
  expect(JSON.stringify(sara)).not.toContain('token-of-sara')
  expect(omid).toMatchObject({ userId: 'omid', tags: { new: null }, attributes: null, installations: null })
  const [withToken] = await objectsOf(await exportUsers(ctx, { deviceTokens: true }))
  expect(withToken).toMatchObject({ installations: [{ id, deviceToken: 'token-of-sara' }] })
})

test('more users than are read at a time all come once', async () => {
  const ctx = await createTestApp(store)
  await store.query(sql`
    insert into users (app_id, user_id) select ${ctx.app.id}, 'u' || n from generate_series(1, 1001) as s(n)`)
  const users = await objectsOf(await exportUsers(ctx, { format: 'ndjson' }))
  expect(new Set(users.map(({ userId }) => userId)).size).toBe(1_001)
  expect(users).toHaveLength(1_001)
})

test('events of a period come in the order in which they came, each once', async () => {
  const ctx = await createTestApp(store)
  const at = (ms: number) => ({ ...ctx, now: () => new Date(Date.now() - ms) })
  const many = (name: string) =>
    Array.from({ length: 800 }, (_, index) => ({ userId: 'sara', eventName: `${name}${index}` }))
  await trackBulk(at(3_600_000), many('early'))
  const from = Date.now() - 1_800_000
  const moment = new Date(Date.now() - 5_000)
  for (const name of ['a', 'b']) await trackBulk({ ...ctx, now: () => moment }, many(name))
  await trackPurchase(ctx, {
    userId: 'sara',
    eventName: 'Ticket',
    revenue: 9.9,
    currency: 'EUR',
    eventData: { seats: 2 },
  })
  const all = await objectsOf(await exportEvents(ctx, {}))
  expect(all).toHaveLength(2_401)
  const late = await objectsOf(await exportEvents(ctx, { from }))
  expect(late).toEqual(all.slice(800))
  expect(new Set(late.map(({ eventName }) => eventName)).size).toBe(1_601)
  expect(late.at(-1)).toMatchObject({
    eventName: 'Ticket',
    userId: 'sara',
    revenue: 9.9,
    currency: 'EUR',
    eventData: { seats: 2 },
  })
  expect(await objectsOf(await exportEvents(ctx, { to: from }))).toEqual(all.slice(0, 800))
  await expect(exportEvents(ctx, { from: 'then' })).rejects.toMatchObject({ details: { field: 'from' } })
  await expect(exportEvents(ctx, { from: 2e12, to: 1e12 })).rejects.toMatchObject({ details: { field: 'to' } })
})

test('deliveries come by message, with what waits, and by period', async () => {
  const ctx = await createTestApp(store)
  const [phone, tablet] = [await addInstallation(ctx, 'sara'), await addInstallation(ctx, 'omid')]
  const { id: messageId } = await sendByQuery(ctx, { content: 'hi', target: {} })
  const step = { appId: ctx.app.id, messageId, installationNo: phone.no, provider: 'fcm', recipients: 2 }
  await store.transaction((tx) => advanceDeliveries(tx, [{ ...step, state: 'sent', at: ctx.now() }]))
  await store.query(sql`
    update delivery_batches set installation_nos = ${[phone.no, tablet.no]}::bigint[] where app_id = ${ctx.app.id}`)
  const sent = { messageId, installationId: phone.id, userId: 'sara', state: 'sent', provider: 'fcm' }
  expect(await objectsOf(await exportDeliveries(ctx, { messageId }))).toMatchObject([
    sent,
    { messageId, installationId: tablet.id, state: 'queued', provider: null, sentAt: null },
  ])
  expect(await objectsOf(await exportDeliveries(ctx, {}))).toMatchObject([sent])
  expect(await objectsOf(await exportDeliveries(ctx, { to: Date.now() - 60_000 }))).toEqual([])
  await expect(exportDeliveries(ctx, { messageId: 'x' })).rejects.toMatchObject({ status: 404 })
})

test('an app has so many exports at a time, and one that is left gives its turn back', async () => {
  const ctx = await createTestApp(store)
  await registerInstallation(ctx, { deviceType: 'web', userId: 'sara' })
  const open = await Promise.all(
    [1, 2, 3, 4].map(async () => (await exportUsers(ctx, {})).rows[Symbol.asyncIterator]()),
  )
  for (const rows of open) await rows.next()
  await expect(objectsOf(await exportUsers(ctx, {}))).rejects.toMatchObject({ code: 'too-many-requests' })
  for (const rows of open) await rows.return?.()
  expect(await objectsOf(await exportUsers(ctx, {}))).toHaveLength(1)
})
