import { randomUUID } from 'node:crypto'
import { checker, explainMessage as contract } from '@peyk/contract'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { cancelMessage } from '../deliveries/control/cancel-message.ts'
import { pauseMessage } from '../deliveries/control/pause-message.ts'
import { stopAllSending } from '../deliveries/control/stop-all-sending.ts'
import { advanceDeliveries, type DeliveryStep } from '../deliveries/progress/advance-deliveries.ts'
import { setAttributes } from '../installations/attributes/set-attributes.ts'
import { registerInstallation } from '../installations/register/register-installation.ts'
import { addTags } from '../installations/tags/add-tags.ts'
import type { Accepted } from '../messages/accept/draft-message.ts'
import { notifyUsers } from '../messages/send/notify-users.ts'
import { sendByQuery } from '../messages/send/send-by-query.ts'
import { sendToUsers } from '../messages/send/send-to-users.ts'
import { recordReceipts } from '../receipts/record-receipts.ts'
import { explainMessage } from './explain-message.ts'

const store = await createTestStore()
const checkAnswer = checker(contract.answer)
let tokens = 0

async function setUp() {
  const ctx = await createTestApp(store)
  await store.query(sql`
    insert into provider_credentials (app_id, provider, sealed, shown) values (${ctx.app.id}, 'fcm', '', '{}')`)
  return ctx
}

async function addPhone(ctx: Context, userId: string, options: Record<string, unknown> = {}) {
  const { id } = await registerInstallation(ctx, {
    deviceType: 'android',
    userId,
    deviceToken: `token-${++tokens}`,
    ...options,
  })
  const [row] = await store.query<{ no: number }>(sql`
    select installation_no as no from installations where app_id = ${ctx.app.id} and id = ${id}`)
  return { id: id as string, no: row?.no as number }
}

async function settle(ctx: Context, messageId: string, installationNo: number, step: Partial<DeliveryStep>) {
  await store.query(sql`delete from delivery_batches where app_id = ${ctx.app.id} and message_id = ${messageId}`)
  await store.transaction((tx) =>
    advanceDeliveries(tx, [{ appId: ctx.app.id, messageId, installationNo, state: 'sent', at: ctx.now(), ...step }]),
  )
}

async function explain(ctx: Context, id: string, user = 'sara') {
  const explanation = await explainMessage(ctx, { id, user })
  expect(checkAnswer(explanation).fault).toBeUndefined()
  const [first] = explanation.installations
  const lines = first?.story.map(({ kind, text }) => `${kind}: ${text}`) ?? []
  return { ...explanation, first, lines, kinds: first?.story.map(({ kind }) => kind) }
}

const toSara = async (ctx: Context, rest: object = {}) =>
  ((await sendToUsers(ctx, { user: 'sara', content: 'x', ...rest })) as Accepted).id

describe('the story of a message', () => {
  it('that was sent goes from its acceptance to what the device reported', async () => {
    const ctx = await setUp()
    const phone = await addPhone(ctx, 'sara')
    const id = await toSara(ctx)
    const at = (seconds: number) => new Date(Number(ctx.now()) + seconds * 1000)
    await store.query(sql`
      insert into delivery_attempts (app_id, message_id, installation_no, attempted_at, provider, outcome, detail)
      values (${ctx.app.id}, ${id}, ${phone.no}, ${at(1)}, 'fcm', 'later', '503 UNAVAILABLE')`)
    await settle(ctx, id, phone.no, { provider: 'fcm', at: at(12), detail: 'projects/p/messages/1' })
    const receipts = [
      { messageId: id, kind: 'acted' as const, actionId: 'reply', happenedAt: at(31) },
      { messageId: id, kind: 'shown' as const, actionId: '', happenedAt: at(20) },
    ]
    await recordReceipts(ctx, { installationId: phone.id, receipts })
    const { text, first, lines } = await explain(ctx, id)
    expect(text).toBe('Of 1 installation: sent to 1.')
    expect(first).toMatchObject({ installationId: phone.id, deviceType: 'android', state: 'acted' })
    expect(lines).toEqual([
      'accepted: The message was accepted, for 1 installation.',
      'matched: The message names the user, who was logged in on this installation.',
      'path: fcm: its token is one of fcm. Not apns and webpush: the token is not from there. Not the live connection: it is not connected.',
      'attempt: fcm said to try again later: 503 UNAVAILABLE.',
      'sent: fcm accepted it: projects/p/messages/1.',
      'receipt: The device showed it.',
      'receipt: An action was taken: "reply".',
    ])
    const times = first?.story.flatMap((each) => each.at ?? []) ?? []
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  })

  it('that ended says why', async () => {
    const ctx = await setUp()
    const phone = await addPhone(ctx, 'sara')
    const id = await toSara(ctx)
    await settle(ctx, id, phone.no, {
      state: 'ended',
      reason: 'refused',
      provider: 'fcm',
      detail: 'the payload has 5000 bytes',
    })
    const { first, lines } = await explain(ctx, id)
    expect(first).toMatchObject({ state: 'ended', reason: 'refused' })
    expect(lines.at(-1)).toBe('ended: It could not be sent in this form. The payload has 5000 bytes.')
    expect(first?.story.at(-1)?.says).toEqual([
      { code: 'ended', reason: 'refused', detail: 'the payload has 5000 bytes' },
    ])
  })

  it('that ended says a reason once', async () => {
    const ctx = await setUp()
    const phone = await addPhone(ctx, 'sara')
    const id = await toSara(ctx)
    const detailCode = 'notifications-off'
    await settle(ctx, id, phone.no, { state: 'ended', reason: 'opted-out', detailCode })
    expect((await explain(ctx, id)).lines.at(-1)).toBe('ended: Notifications are not allowed on the device.')
  })

  it('that has no way to a device says why none of the ways', async () => {
    const ctx = await setUp()
    const phone = await addPhone(ctx, 'sara', { deviceType: 'ios', deviceToken: 'ab'.repeat(32) })
    const { id } = (await notifyUsers(ctx, { user: 'sara', notification: { title: 'x' }, content: 'x' })) as Accepted
    const why = 'the app has no credentials for apns'
    await settle(ctx, id, phone.no, { state: 'ended', reason: 'no-provider', detail: why })
    const { lines } = await explain(ctx, id)
    expect(lines.slice(2)).toEqual([
      `path: None: ${why}.`,
      'ended: This installation has no delivery channel. The app has no credentials for apns.',
    ])
  })

  it('in the inbox waits until it expires', async () => {
    const ctx = await setUp()
    const phone = await addPhone(ctx, 'sara', { deviceToken: 'disabled' })
    const id = await toSara(ctx)
    const why = 'the installation has no push token'
    await settle(ctx, id, phone.no, { state: 'queued', provider: 'connection', detail: why })
    const { first, lines } = await explain(ctx, id)
    expect(first?.state).toBe('queued')
    expect(lines.slice(2)).toEqual([
      `path: The inbox: ${why}.`,
      expect.stringMatching(/^waiting: It waits in the inbox until/),
    ])
  })

  it('that came over the own connection says so, wherever the device is by now', async () => {
    const ctx = await setUp()
    const phone = await addPhone(ctx, 'sara', { deviceToken: 'disabled' })
    const id = await toSara(ctx)
    const why = 'it is connected, and no provider reaches it'
    await settle(ctx, id, phone.no, { state: 'queued', provider: 'connection', detail: why })
    await recordReceipts(ctx, {
      installationId: phone.id,
      receipts: [{ messageId: id, kind: 'delivered', actionId: '', happenedAt: ctx.now() }],
    })
    expect((await explain(ctx, id)).lines.slice(2)).toEqual([
      `path: The live connection. When the delivery channel was chosen: ${why}.`,
      'receipt: The device acknowledged it.',
    ])
  })

  it('in the work-list says what it waits for', async () => {
    const ctx = await setUp()
    await addPhone(ctx, 'sara')
    const id = await toSara(ctx)
    expect((await explain(ctx, id)).lines.at(-1)).toMatch(/^waiting: It is in the queue. It expires at /)
    await store.query(sql`
      update delivery_batches set attempts = 2, available_at = now() + interval '1 hour' where app_id = ${ctx.app.id}`)
    await store.query(sql`
      update provider_credentials set paused_at = now(), paused_reason = 'The key was revoked.' where app_id = ${ctx.app.id}`)
    await pauseMessage(ctx, { id })
    await stopAllSending(ctx)
    const { lines, first } = await explain(ctx, id)
    expect(first?.state).toBe('queued')
    expect(lines.slice(3)).toEqual([
      'paused: All sending of the app was stopped.',
      'paused: The message was paused.',
      'paused: fcm is paused for the app: The key was revoked.',
      expect.stringMatching(/^waiting: It is in the queue. It was attempted 2 times./),
    ])
    await store.query(sql`update delivery_batches set state = 'queued' where app_id = ${ctx.app.id}`)
    expect((await explain(ctx, id)).lines.at(-1)).toMatch(/^waiting: It will be tried again at /)
    await store.query(sql`update delivery_batches set lease_holder = ${randomUUID()} where app_id = ${ctx.app.id}`)
    expect((await explain(ctx, id)).lines.at(-1)).toBe('waiting: It is being sent at this moment.')
  })

  it('that was cancelled ends there', async () => {
    const ctx = await setUp()
    await addPhone(ctx, 'sara')
    const id = await toSara(ctx)
    await cancelMessage(ctx, { id })
    const { first, kinds } = await explain(ctx, id)
    expect(first).toMatchObject({ state: 'ended', reason: 'cancelled' })
    expect(kinds).toEqual(['accepted', 'matched', 'ended'])
  })
})

describe('who a message was not meant for', () => {
  it('is told which rule does not hold, with the value it has', async () => {
    const ctx = await setUp()
    await addPhone(ctx, 'sara', { clientVersion: '1.9', language: 'fa' })
    await addPhone(ctx, 'omid', { clientVersion: '2.0' })
    await setAttributes(ctx, { userId: 'sara', attributes: { plan: 'free' } })
    await addTags(ctx, { userId: 'sara', tags: ['vip'] })
    const { id } = await sendByQuery(ctx, {
      segment: {
        all: [
          { name: 'deviceType', operator: 'equal_to', value: 'android' },
          { name: 'clientVersion', operator: 'greater_than', value: '1.10' },
          {
            any: [
              { name: 'attributes.plan', operator: 'equal_to', value: 'pro' },
              { name: 'tags', operator: 'include', value: ['gold'] },
            ],
          },
          { name: 'buy.count', operator: 'greater_than', value: 3 },
          { name: 'timeZone', operator: 'equal_to', value: 'Asia/Tehran' },
        ],
      },
      content: 'x',
    })
    const { first, lines, text } = await explain(ctx, id)
    expect(text).toBe('Of 1 installation: not meant for 1.')
    expect(first).not.toHaveProperty('state')
    expect(lines).toEqual([
      'accepted: The message was accepted, for 0 installations.',
      'not-matched: The rule clientVersion greater_than "1.10" does not hold: here clientVersion is "1.9". ' +
        'The rule (attributes.plan equal_to "pro" or tags include ["gold"]) does not hold: here tags is ["vip"], attributes.plan is "free". ' +
        'The rule buy.count greater_than 3 does not hold: here buy.count is 0. ' +
        'The rule timeZone equal_to "Asia/Tehran" does not hold: here timeZone is not set.',
    ])
  })

  it('is told so of as many rules as there can be', async () => {
    const ctx = await setUp()
    await addPhone(ctx, 'sara')
    const rule = (value: number) => ({ name: 'launchCount', operator: 'not_equal', value: value + 2 })
    const { id } = await sendByQuery(ctx, {
      segment: { all: Array.from({ length: 100 }, (_, index) => rule(index)) },
      content: 'x',
    })
    const { first, lines } = await explain(ctx, id)
    expect(first?.state).toBe('queued')
    expect(lines.slice(1)).toEqual([
      'matched: It matches all of the message’s rules (100).',
      expect.stringMatching(/^path: fcm/),
      'waiting: The installations of the message are still being selected.',
    ])
  })

  it('came later, is gone, logged out, or was not named', async () => {
    const ctx = await setUp()
    const gone = await addPhone(ctx, 'sara')
    const guest = await addPhone(ctx, 'sara')
    await store.query(sql`
      update installations set uninstalled_at = now() where app_id = ${ctx.app.id} and installation_no = ${gone.no}`)
    await registerInstallation(ctx, { deviceType: 'android', userId: 'omid' })
    await store.query(sql`
      update installations set user_no = 0, is_guest = true where app_id = ${ctx.app.id} and installation_no = ${guest.no}`)
    const id = await toSara(ctx)
    await store.query(sql`
      update messages set accepted_at = accepted_at + interval '1 minute' where app_id = ${ctx.app.id} and id = ${id}`)
    const late = await addPhone(ctx, 'sara')
    await store.query(sql`
      update installations set created_at = now() + interval '1 hour' where app_id = ${ctx.app.id} and installation_no = ${late.no}`)
    const { installations } = await explain(ctx, id)
    expect(installations.map(({ story }) => story[1]?.text)).toEqual([
      expect.stringMatching(/^It was uninstalled at /),
      'The user had logged out of it.',
      expect.stringMatching(/^It was registered at .*, after the message was accepted.$/),
    ])
    const other = await explain(ctx, id, 'omid')
    expect(other.lines[1]).toBe('not-matched: The message does not name the user.')
  })

  it('is not on its channel', async () => {
    const ctx = await setUp()
    await addPhone(ctx, 'sara', { subscriptions: ['public/sport'] })
    const text =
      'not-matched: The message goes to the channel "public/news". The installation is subscribed to "default", "public/sport".'
    const personal = await explain(ctx, await toSara(ctx, { channel: 'news' }))
    expect(personal.first).toMatchObject({ state: 'ended', reason: 'not-in-channel' })
    expect(personal.lines[1]).toBe(text)
    const group = await sendToUsers(ctx, { user: '*', content: 'x', channel: 'news' })
    expect((await explain(ctx, (group as Accepted).id)).lines[1]).toBe(text)
  })

  it('has no installations at all, or is not known', async () => {
    const ctx = await setUp()
    const id = await toSara(ctx)
    expect(await explainMessage(ctx, { id, user: 'sarra' })).toMatchObject({
      text: 'No user has the id "sarra".',
      says: [{ code: 'unknown-user', user: 'sarra' }],
      installations: [],
    })
    await addTags(ctx, { userId: 'sara', tags: ['vip'] })
    expect(await explainMessage(ctx, { id, user: 'sara' })).toEqual({
      messageId: id,
      user: 'sara',
      text: 'The user "sara" has no installations, so there is none to send it to.',
      says: [{ code: 'no-installations', user: 'sara' }],
      installations: [],
    })
  })
})

describe('an explanation', () => {
  it('tells what became of the SMS', async () => {
    const ctx = await setUp()
    const id = await toSara(ctx)
    await store.query(sql`
      insert into sms_fallbacks (app_id, message_id, user_id, due_at, state, phone, detail)
      values (${ctx.app.id}, ${id}, 'sara', now(), 'refused', '989121234567', 'no credit')
      on conflict (app_id, message_id, user_id) do update set state = excluded.state, phone = excluded.phone, detail = excluded.detail`)
    expect((await explainMessage(ctx, { id, user: 'sara' })).fallback).toMatchObject({
      state: 'refused',
      text: 'The gateway refused the SMS. (no credit)',
      phone: '4567',
    })
  })

  it('is not given to another app', async () => {
    const [ctx, other] = [await setUp(), await setUp()]
    await addPhone(other, 'sara')
    const id = await toSara(ctx)
    for (const wrong of [id, randomUUID(), 'x', '\0']) {
      await expect(explainMessage(other, { id: wrong, user: 'sara' })).rejects.toMatchObject({ code: 'not-found' })
    }
    expect((await explainMessage(ctx, { id, user: 'sara' })).installations).toEqual([])
  })
})
