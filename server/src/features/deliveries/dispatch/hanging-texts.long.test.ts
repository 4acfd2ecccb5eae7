import { addDevices, createDelivery, type TestDevice } from '@peyk/test/delivery.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { setAttributes } from '../../installations/attributes/set-attributes.ts'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { sendToUsers } from '../../messages/send/send-to-users.ts'
import { getMessage } from '../read/get-message.ts'
import type { Dispatcher } from './dispatcher.ts'

const { providers, store, createApp, startDispatcher } = await createDelivery()
/** Only here: a text that failed often is remembered, and given up at once. */
const hanging = '{{ (9007199254740992..9007199254740994) | first }} for all of them'

let dispatcher: Dispatcher
beforeAll(() => {
  dispatcher = startDispatcher()
})
afterAll(() => dispatcher.stop())

const settled = (ctx: Context, id: string) =>
  until(
    () => getMessage(ctx, { id }),
    ({ progress }) => progress.waiting === 0,
  )
const endsOf = (id: string) =>
  store.query(sql`select reason, detail, count(*)::int as count from deliveries where message_id = ${id} group by 1, 2`)

it('a text that never ends is refused with the reason, and keeps nobody waiting', async () => {
  const [ctx, other] = [await createApp(), await createApp()]
  await addDevices(ctx, providers, 'fcm', 30)
  const [device] = (await addDevices(other, providers, 'fcm', 1)) as [TestDevice]
  const { id } = await sendByQuery(ctx, { target: {}, content: hanging })
  const plain = (await sendToUsers(other, { user: device.userId, content: 'Dear {{ user.id }}' })) as { id: string }
  expect((await settled(other, plain.id)).states).toMatchObject({ sent: 1 })
  expect((await settled(ctx, id)).states).toMatchObject({ sent: 0, ended: 30 })
  const detail = '"content": it took too long to write, or too much memory'
  expect(await endsOf(id)).toEqual([{ reason: 'refused', detail, count: 30 }])
  expect(providers.record.list({ messageId: id })).toEqual([])
})

it('attributes with which a harmless text never ends keep nobody else from getting it', async () => {
  const ctx = await createApp()
  const devices = await addDevices(ctx, providers, 'fcm', 10)
  const [stranger] = devices as [TestDevice]
  await setAttributes(ctx, { userId: stranger.userId, attributes: { from: 2 ** 53, to: 2 ** 53 + 2 } })
  const content = '{% for i in (user.from..user.to) %}{{ i }}{% endfor %}!'
  const { id } = await sendByQuery(ctx, { target: {}, content })
  expect((await settled(ctx, id)).states).toMatchObject({ sent: 9, ended: 1 })
  expect(new Set(providers.record.list({ messageId: id }).map(({ token }) => token)).size).toBe(9)
})
