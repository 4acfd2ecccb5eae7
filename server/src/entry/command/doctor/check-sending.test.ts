import { addDevices, createDelivery } from '@peyk/test/delivery.ts'
import sql, { type Sql } from 'sql-template-tag'
import { expect, it } from 'vitest'
import type { OutwardContext } from '#base/context.ts'
import { givePhone, giveSms, sendWithSms } from '#features/deliveries/fallback/fallback.test-support.ts'
import { sendToUsers } from '#features/messages/send/send-to-users.ts'
import { createCalls } from '#features/webhooks/calls/create-calls.ts'
import { addWebhook, emitUsers } from '#features/webhooks/webhooks.test-support.ts'
import { checkSending } from './check-sending.ts'

const { providers, store, external, createApp } = await createDelivery()
const ctx = (await createApp()) as OutwardContext
const app = ctx.app.id
const [device] = await addDevices(ctx, providers, 'fcm', 1)
const userId = device?.userId as string

const findOverdue = async (isUsed = true) =>
  (await checkSending({ store }, { isUsed })).flatMap(({ code, text }) => (code === 'role-missing' ? [] : [text]))

/** Work that has been due for three days, beside some that is not due. */
const works: [what: string, leave: () => Promise<unknown>, late: Sql, undo: Sql][] = [
  [
    'scheduled messages',
    () => sendToUsers(ctx, { user: userId, content: 'Later', sendAt: Date.now() + 86_400_000 }),
    sql`update scheduled_messages set due_at = now() - interval '3 days', available_at = now() - interval '3 days' where app_id = ${app}`,
    sql`delete from scheduled_messages where app_id = ${app}`,
  ],
  [
    'SMS',
    () => sendWithSms(ctx, [userId], { delay: 600 }),
    sql`update sms_fallbacks set due_at = now() - interval '3 days' where app_id = ${app}`,
    sql`update sms_fallbacks set state = 'cancelled' where app_id = ${app}`,
  ],
  [
    'SMS',
    () => sendWithSms(ctx, [userId], { delay: 600 }),
    sql`update sms_fallbacks set state = 'sending', updated_at = now() - interval '3 days' where app_id = ${app} and state = 'waiting'`,
    sql`update sms_fallbacks set state = 'cancelled' where app_id = ${app}`,
  ],
  [
    'recalls',
    () =>
      store.query(sql`
        insert into recall_batches (app_id, message_id, stream, installation_nos, expires_at, available_at)
        values (${app}, gen_random_uuid(), 'fcm', '{1}', now() + interval '1 day', now() + interval '1 minute')`),
    sql`update recall_batches set available_at = now() - interval '3 days' where app_id = ${app}`,
    sql`delete from recall_batches where app_id = ${app}`,
  ],
  [
    'events for webhooks',
    async () => {
      await addWebhook({ ...ctx, external: { ...external, webhooksMayBeLocal: true } }, 'http://127.0.0.1:9/hook')
      await emitUsers(ctx, 1)
    },
    sql`update outbox set happened_at = now() - interval '3 days' where app_id = ${app}`,
    sql`delete from outbox where app_id = ${app}`,
  ],
  [
    'calls of webhooks',
    async () => {
      await emitUsers(ctx, 1)
      await createCalls(store)
      await store.query(sql`update webhook_calls set available_at = now() + interval '1 minute' where app_id = ${app}`)
    },
    sql`update webhook_calls set available_at = now() - interval '3 days' where app_id = ${app}`,
    sql`update webhooks set failing_since = now() where app_id = ${app}`,
  ],
]

it.each(works)('finds that %s are overdue, and nothing else', async (what, leave, late, undo) => {
  await giveSms(ctx, providers)
  await givePhone(ctx, userId, '+989121234567')
  await leave()
  await store.query(sql`delete from delivery_batches where app_id = ${app}`)
  expect(await findOverdue()).toEqual(['nothing is overdue'])
  await store.query(late)
  expect(await findOverdue()).toEqual([
    expect.stringMatching(new RegExp(`^The oldest work of ${what} has waited for 25\\d{4} seconds`)),
  ])
  expect(await findOverdue(false)).toEqual([expect.stringContaining(`${what} for 25`)])
  await store.query(undo)
  expect(await findOverdue()).toEqual(['nothing is overdue'])
})
