import { randomUUID } from 'node:crypto'
import { addDevices, createDelivery } from '@peyk/test/delivery.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { sendToUsers } from '../../messages/send/send-to-users.ts'
import { getMessage } from '../read/get-message.ts'

const { providers, store, createApp, startDispatcher } = await createDelivery()

it('a batch whose installations were all forgotten goes from the work-list', async () => {
  const ctx = await createApp()
  const [device] = await addDevices(ctx, providers, 'fcm', 1)
  const { id } = (await sendToUsers(ctx, { user: device?.userId as string, content: 'Hello' })) as { id: string }
  await store.query(sql`
    insert into delivery_batches (app_id, message_id, lane, stream, installation_nos)
    values (${ctx.app.id}, ${id}, 'personal', 'mixed', '{}'), (${ctx.app.id}, ${id}, 'group', 'fcm', '{}')`)
  const dispatcher = startDispatcher()
  await until(
    () => store.query(sql`select from delivery_batches where app_id = ${ctx.app.id}`),
    (rows) => rows.length === 0,
  )
  expect(providers.record.list({ messageId: id })).toHaveLength(1)
  await dispatcher.stop()
})

it('no promo code is given for a message that has expired', async () => {
  const ctx = await createApp()
  await addDevices(ctx, providers, 'fcm', 3)
  const [set] = await store.query<{ set_no: number }>(sql`
    insert into promo_sets (app_id, set_id, track_id, state, total_rows, codes)
    values (${ctx.app.id}, ${randomUUID()}, '', 'active', 3, 3) returning set_no`)
  await store.query(sql`
    insert into promo_codes (app_id, set_no, code) select ${ctx.app.id}, ${set?.set_no}, unnest(array['A-1', 'A-2', 'A-3'])`)
  const { id } = await sendByQuery(ctx, { target: {}, content: 'Code {{ promoCode }}', useAsAlert: true })
  await store.query(sql`update messages set expires_at = now() where app_id = ${ctx.app.id} and id = ${id}`)
  const dispatcher = startDispatcher()
  const { reasons } = await until(
    () => getMessage(ctx, { id }),
    ({ progress }) => progress.waiting === 0,
  )
  expect(reasons).toMatchObject({ expired: 3 })
  expect(await store.query(sql`select from promo_given where app_id = ${ctx.app.id}`)).toEqual([])
  await dispatcher.stop()
})
