import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { leaveMessage } from '@peyk/test/connection.ts'
import { silentLog } from '@peyk/test/database/test-store.ts'
import { addDevices, createDelivery, type TestDevice } from '@peyk/test/delivery.ts'
import { recall } from '@peyk/test/recall.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql, { type Sql } from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import type { OutwardContext } from '#base/context.ts'
import { changeApp } from '../../accounts/apps/change-app.ts'
import { tallyOf } from '../../accounts/quotas/usage-tally.ts'
import { writeUsage } from '../../accounts/quotas/write-usage.ts'
import { createCategory } from '../../categories/create-category.ts'
import { deleteCategory } from '../../categories/delete-category.ts'
import { changePreferences } from '../../categories/preferences/change-preferences.ts'
import { sendDraft } from '../../composer/drafts/send-draft.ts'
import { cancelMessage } from '../../deliveries/control/cancel-message.ts'
import { settleCancelled } from '../../deliveries/control/settle-cancelled.ts'
import { givePhone, giveSms, sendWithSms } from '../../deliveries/fallback/fallback.test-support.ts'
import { clockIn, startAndCut } from '../../deliveries/local-time/local-time.test-support.ts'
import { getMessage } from '../../deliveries/read/get-message.ts'
import { listRecalled } from '../../deliveries/recall/list-recalled.ts'
import { recallMessage } from '../../deliveries/recall/recall-message.ts'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { sendToUsers } from '../../messages/send/send-to-users.ts'
import { deleteUser } from '../../privacy/delete-user.ts'
import { replaceGlobalCodes } from '../../promo/replace-global-codes.ts'
import { recordReceipts } from '../../receipts/record-receipts.ts'
import { createCalls } from '../../webhooks/calls/create-calls.ts'
import { addWebhook, emitUsers } from '../../webhooks/webhooks.test-support.ts'
import { findDamage } from './damage.test-support.ts'
import { invariants } from './invariants.ts'
import { verifyInvariants } from './verify-invariants.ts'

const { providers, store, external, createApp, startDispatcher } = await createDelivery()
const services = { store, log: silentLog, now: () => new Date(), external }
const dayMs = 86_400_000
const hello = { content: 'Hello', notification: { title: 'Hello' } }

let ctx: OutwardContext
let app: number

const verify = () => verifyInvariants({ store }, { onVerdict: () => {} })

async function sendTo(userId: string | string[] | undefined, more: object = {}, on = ctx): Promise<string> {
  return ((await sendToUsers(on, { ...hello, user: userId as string, ...more })) as { id: string }).id
}

async function isSent(id: string): Promise<string> {
  await until(
    () => getMessage(ctx, { id }),
    ({ progress }) => progress.waiting === 0,
  )
  return id
}

/** Something of everything that the service stores about sending, some of it done and some of it waiting. */
beforeAll(async () => {
  ctx = { ...((await createApp()) as OutwardContext), external: { ...external, webhooksMayBeLocal: true } }
  app = ctx.app.id
  await store.query(sql`update apps set created_at = now() - interval '5 days' where app_id = ${app}`)
  await store.query(sql`update migrations set applied_at = now() - interval '6 days'`)
  const devices = (await addDevices(ctx, providers, 'fcm', 8, 'user')) as [TestDevice, TestDevice, TestDevice]
  const [first, second, third] = devices
  const gone = devices.at(-1) as TestDevice
  for (const id of ['news', 'old']) await createCategory(ctx, { id, name: { en: id } })
  await changeApp(ctx, {
    caps: [{ count: 5, window: '24h' }],
    groupCategory: 'news',
    approvalAbove: 2,
  } as never)
  await changePreferences(ctx, { userId: second.userId, all: true, categories: { news: true, old: false } })
  await giveSms(ctx, providers)
  await givePhone(ctx, second.userId, '+989121234567')
  await replaceGlobalCodes(ctx, { file: Readable.from(['A\nB\nC\n']) })
  await addWebhook(ctx, 'http://127.0.0.1:9/hook')

  const sending = startDispatcher()
  const reported = await isSent(await sendTo(first.userId, { category: 'news' }))
  const receipts = (['delivered', 'shown', 'opened', 'acted', 'acted'] as const).map((kind, index) => ({
    ...{ messageId: reported, kind, actionId: kind === 'acted' ? `b${index}` : '', happenedAt: new Date() },
  }))
  await recordReceipts(ctx, { installationId: first.installationId, receipts })
  await isSent(await sendTo(first.userId, { category: 'old', content: 'Your code: {{ promoCode }}' }))
  await isSent((await sendByQuery(ctx, { ...hello, target: {}, category: 'transactional' } as never)).id)
  const recalled = await isSent(await sendTo(third.userId))
  await recall(ctx, recalled)
  const waitingRecall = await isSent(await sendTo(third.userId))
  await isSent(await sendTo([first.userId, second.userId]))
  await isSent(await sendTo(gone.userId, { category: 'news', fallback: { content: 'Hi', delay: 600 } }))
  await sending.stop()
  await recallMessage(ctx, { id: waitingRecall }, 0)
  await settleCancelled(services)
  await listRecalled(services)

  await sendWithSms(ctx, [second.userId, third.userId], { delay: 600 })
  await leaveMessage(ctx, third.installationId)
  await sendByQuery(ctx, { ...hello, target: {}, sendAt: { local: clockIn(20) } } as never)
  await store.query(sql`update scheduled_messages set available_at = now(), due_at = now() where app_id = ${app}`)
  await startAndCut(ctx)
  await sendTo(first.userId, { repeat: { rule: 'FREQ=DAILY' } })
  await sendTo(first.userId, { sendAt: Date.now() + dayMs })
  const member = { id: randomUUID(), email: 'sara@shop.example', role: 'marketer' }
  await sendDraft({ ...ctx, member } as never, { product: 'message', content: 'Hi', confirmed: 8, target: {} } as never)
  await cancelMessage(ctx, { id: await sendTo(first.userId) })
  await deleteCategory(ctx, { id: 'old' })
  await emitUsers(ctx, 2)
  await createCalls(store)
  await emitUsers(ctx, 1, 5)
  for (const agoMs of [2 * dayMs, 600_000])
    await sendTo(first.userId, {}, { ...ctx, now: () => new Date(Date.now() - agoMs) })
  await tallyOf(store).write(
    (tally) => writeUsage(store, tally),
    async () => {},
  )
  await store.query(sql`
    insert into usage_days (app_id, day, messages)
    select app_id, day - ago, 1 from usage_days, generate_series(1, 2) as ago where app_id = ${app}`)
  await deleteUser(ctx, { userId: gone.userId })
})

it('finds nothing wrong after a workload of everything, of which each check sees something', async () => {
  const verdicts = await verify()
  expect(verdicts.filter(({ broken }) => broken > 0)).toEqual([])
  const rows = new Map(verdicts.map((verdict) => [verdict.name, verdict.rows]))
  for (const [, name] of damages) {
    const found = [...rows].filter(([each]) => each.includes(name))
    expect(found.length, name).toBe(1)
    expect(found[0]?.[1], name).toBeGreaterThan(0)
  }
  expect(verdicts).toHaveLength(invariants.length)
})

const own = () => sql`app_id = ${app}`
const withoutNews = () => sql`delete from categories where ${own()} and id = 'news'`

/** What was damaged, the check that finds it, and the statement. */
const damages: [what: string, check: string, statement: () => Sql][] = [
  ['a given code', 'promo sets count', () => sql`delete from promo_given where ${own()}`],
  ['receipts', 'that a device reported have', () => sql`delete from receipts where ${own()} and kind = 'opened'`],
  [
    'the users of a personal message',
    'messages to users name',
    () => sql`delete from message_users where ${own()} and message_id = (
      select id from messages where ${own()} and audience = 'users' and not body ? 'fallback' order by id limit 1)`,
  ],
  [
    'one of two users of a message',
    'devices of messages to users',
    () => sql`delete from message_users where ${own()} and user_id = 'user-2' and not exists (
      select from sms_fallbacks f where f.app_id = message_users.app_id and f.message_id = message_users.message_id)`,
  ],
  [
    'one SMS of a message',
    'users of a message with an SMS',
    () => sql`delete from sms_fallbacks where ${own()} and user_id = 'user-1'`,
  ],
  [
    'the user of an SMS',
    'SMS lead to the user',
    () => sql`delete from message_users where ${own()} and user_id = 'user-2'
      and message_id in (select message_id from sms_fallbacks where ${own()})`,
  ],
  [
    'an SMS that is on its way for two days',
    'no SMS is being sent',
    () => sql`update sms_fallbacks set state = 'sending', updated_at = now() - interval '2 days' where ${own()}`,
  ],
  [
    'marks of inboxes',
    'are in the inbox',
    () => sql`update deliveries set in_inbox = false where ${own()} and state = 'queued'`,
  ],
  ['a webhook with calls', 'calls of webhooks lead', () => sql`delete from webhooks where ${own()}`],
  [
    'an app with events for webhooks',
    'events that wait for webhooks',
    () =>
      sql`insert into outbox (app_id, id, kind, happened_at, body) values (99999, gen_random_uuid(), 'user.new', now(), '{}')`,
  ],
  ['a category of messages', 'categories of messages exist', withoutNews],
  ['the category of groups', 'the category of sends to groups', withoutNews],
  ['the category of a preference', 'preferences belong', withoutNews],
  [
    'the usage of a day',
    'have their usage',
    () => sql`update usage_days set messages = 0 where ${own()} and day < now()::date - 1`,
  ],
  [
    'the usage of today',
    'have their usage',
    () => sql`delete from usage_days where ${own()} and day >= now()::date - 1`,
  ],
  ['a figure of usage', 'no figure of usage', () => sql`update usage_days set events = -1 where ${own()}`],
  [
    'a list of what counts against caps',
    'that count against caps',
    () => sql`update recent_hand_overs set times = times[2:] where ${own()}`,
  ],
  ['a recall', 'recalled messages have', () => sql`delete from recalls where ${own()} and cleared > 0`],
  [
    'the mark of a recalled message',
    'recalls lead to a message',
    () => sql`update messages set recalled_at = null where ${own()} and id in (select message_id from recalls)`,
  ],
  ['a recall with pushes', 'pushes of recalls', () => sql`update recalls set listed_up_to = 0 where ${own()}`],
  [
    'an end of a message',
    'batches that wait for a local time',
    () => sql`delete from message_ends where ${own()} and ends_at in (select expires_at from delivery_batches)`,
  ],
  [
    'a message with ends',
    'ends of messages lead',
    () => sql`insert into message_ends (app_id, message_id, ends_at) values (${app}, gen_random_uuid(), now())`,
  ],
  ['an approval', 'approvals say when', () => sql`update send_approvals set decision = 'declined' where ${own()}`],
]

describe('what is damaged', () => {
  it.each(damages)('is found: %s', async (_what, check, statement) => {
    const broken = await findDamage(store, statement())
    const found = broken.find(({ name }) => name.includes(check))
    expect(found, broken.map(({ name }) => name).join(', ')).toBeDefined()
    expect(found?.example).toBeTruthy()
  })
})
