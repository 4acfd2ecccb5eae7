import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { addDevices, createDelivery } from '../../../../../test/helpers/delivery.ts'
import { until } from '../../../../../test/helpers/until.ts'
import { sendByQuery } from '../../messages/send-by-query.ts'
import { cancelMessage } from '../cancel-message.ts'
import { getMessage } from '../get-message.ts'
import { expandAudience } from './expand-audience.ts'

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

it('is not waited for by who cancels the message, and what it brings after that is not sent', async () => {
  const ctx = await createApp()
  await addDevices(ctx, providers, 'fcm', 3)
  const { id } = await sendByQuery(ctx, { target: {}, content: 'Hello', notification: { title: 'Hello' } })
  const released = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const blocking = store.transaction(async (tx) => {
    await tx.query(sql`lock table installations`)
    held.resolve()
    await released.promise
  })
  await held.promise
  const expanding = expandAudience(ctx, lease(), () => true)
  await until(
    () => store.query(sql`select from pg_locks where relation = 'installations'::regclass and not granted`),
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
})
