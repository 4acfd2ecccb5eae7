import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { createTestApp } from '@peyk/test/database/test-store.ts'
import { createDelivery } from '@peyk/test/delivery.ts'
import { effort } from '@peyk/test/runner/effort.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import { beforeEach, expect, test } from 'vitest'
import type { Context } from '#base/context.ts'
import { traceHere } from '#base/trace/tracer.test-support.ts'
import { listAlerts } from '../../accounts/alerts/list-alerts.ts'
import { changeApp } from '../../accounts/apps/change-app.ts'
import { changeAttributes } from '../../installations/attributes/change-attributes.ts'
import { setAttributes } from '../../installations/attributes/set-attributes.ts'
import { registerInstallation } from '../../installations/register/register-installation.ts'
import { updateInstallation } from '../../installations/register/update-installation.ts'
import { addInstallation } from '../../messages/installation-rows.test-support.ts'
import { replaceGlobalCodes } from '../../promo/replace-global-codes.ts'
import { recordReceipts } from '../../receipts/record-receipts.ts'
import { cancelMessage } from '../control/cancel-message.ts'
import { getSending } from '../control/get-sending.ts'
import { pauseMessage } from '../control/pause-message.ts'
import { resumeAllSending } from '../control/resume-all-sending.ts'
import { resumeMessage } from '../control/resume-message.ts'
import { stopAllSending } from '../control/stop-all-sending.ts'
import { advanceDeliveries } from '../progress/advance-deliveries.ts'
import { getMessage } from '../read/get-message.ts'
import { type Claim, claimFallbacks } from './claim-store.ts'
import { givePhone, giveSms, readFallbacks, sendWithSms, settleAll, whileSending } from './fallback.test-support.ts'
import { countFallbacks } from './fallback-store.ts'
import { giveUpLost } from './settle-store.ts'

const { providers, store, external } = await createDelivery()
let ctx: Context
beforeEach(async () => {
  providers.faults.clear()
  providers.record.clear()
  ctx = await createTestApp(store, { external })
  await giveSms(ctx, providers)
})
const received = () =>
  providers.record
    .list({ provider: 'sms' })
    .map(({ payload }) => payload as { to: string; text: string; reference?: string })

function claimOf(messageId: string, userId: string): Claim {
  const key = { appId: ctx.app.id, messageId, userId }
  return { ...key, state: 'sending', detail: null, phone: userId, reference: randomUUID() }
}

/** As if the message had been accepted so many minutes earlier. */
async function moveBack(id: string, minutes: number): Promise<void> {
  const earlier = sql`make_interval(mins => ${minutes}::int)`
  await store.query(sql`update messages set accepted_at = accepted_at - ${earlier} where id = ${id}`)
  await store.query(sql`update sms_fallbacks set due_at = due_at - ${earlier} where message_id = ${id}`)
}

/** Of each message that has an SMS waiting: how long it still waits. */
async function readMinutesLeft(): Promise<Map<string, number>> {
  const rows = await store.query<{ message_id: string; minutes: number }>(sql`
    select message_id, round(extract(epoch from due_at - peyk_now()) / 60)::int as minutes
    from sms_fallbacks where app_id = ${ctx.app.id} and state = 'waiting'`)
  return new Map(rows.map(({ message_id, minutes }) => [message_id, minutes]))
}

test('a user whom no device could tell gets one SMS', async () => {
  await givePhone(ctx, 'sara', '+98 (912) 123-4567')
  const id = await sendWithSms(ctx, ['sara', '989350000001'])
  expect(await settleAll(ctx, id)).toMatchObject([
    { user_id: '989350000001', state: 'sent', phone: '989350000001' },
    { user_id: 'sara', state: 'sent', phone: '989121234567' },
  ])
  expect(
    received()
      .map(({ to }) => to)
      .toSorted(),
  ).toEqual(['+989121234567', '+989350000001'])
  expect(await countFallbacks(store, { appId: ctx.app.id, messageId: id })).toEqual({ sent: 2 })
})

test('it goes by another gateway too, with our reference', async () => {
  await giveSms(ctx, providers, { generic: true })
  const id = await sendWithSms(ctx, ['989350000001'], { content: 'Grüße "quoted"\n' })
  expect(await settleAll(ctx, id)).toMatchObject([{ state: 'sent' }])
  const [row] = await store.query(sql`select reference from sms_fallbacks where message_id = ${id}`)
  expect(received()).toMatchObject([{ to: '989350000001', text: 'Grüße "quoted"\n', ...(row as object) }])
})

test('it waits while all sending is stopped, and then for the rest of its delay', async () => {
  const due = await sendWithSms(ctx, ['989350000001'])
  const later = await sendWithSms(ctx, ['989350000002'], { delay: 3_600 })
  expect(await stopAllSending(ctx)).toMatchObject({ messages: 0, sms: 2 })
  const meanwhile = await sendWithSms(ctx, ['989350000003'], { delay: 3_600 })
  const other = await createTestApp(store, { external })
  await giveSms(other, providers)
  await settleAll(other, await sendWithSms(other, ['989350000004']))
  expect(await readFallbacks(ctx, due)).toMatchObject([{ state: 'waiting' }])
  // As if somebody had found it due just before.
  expect(await store.transaction((tx) => claimFallbacks(tx, [claimOf(due, '989350000001')]))).toMatchObject({
    moved: 0,
  })
  // As if it had been stopped two hours ago.
  await store.query(sql`update apps set stopped_at = stopped_at - interval '2 hours' where app_id = ${ctx.app.id}`)
  for (const [id, minutes] of [
    [due, 150],
    [later, 150],
    [meanwhile, 60],
  ] as const)
    await moveBack(id, minutes)
  expect(await resumeAllSending(ctx)).toMatchObject({ stopped: false, sms: 3 })
  expect(await settleAll(ctx, due)).toMatchObject([{ state: 'sent' }])
  expect(await readMinutesLeft()).toEqual(
    new Map([
      [later, 30],
      [meanwhile, 60],
    ]),
  )
})

test('it waits while its message is paused, and then for the rest of its delay', async () => {
  const due = await sendWithSms(ctx, ['989350000001'])
  const later = await sendWithSms(ctx, ['989350000002'], { delay: 3_600 })
  for (const id of [due, later]) await pauseMessage(ctx, { id })
  await settleAll(ctx, await sendWithSms(ctx, ['989350000003']))
  expect(await readFallbacks(ctx, due)).toMatchObject([{ state: 'waiting' }])
  // As if somebody had found it due just before.
  expect(await store.transaction((tx) => claimFallbacks(tx, [claimOf(due, '989350000001')]))).toMatchObject({
    moved: 0,
  })
  expect(await getSending(ctx)).toMatchObject({ sms: 0 })
  expect(await getMessage(ctx, { id: due })).toMatchObject({ state: 'paused', progress: { paused: true } })
  // As if it had been accepted two and a half hours ago and paused half an hour later.
  for (const id of [due, later]) await moveBack(id, 150)
  await store.query(sql`update messages set paused_at = accepted_at + interval '30 minutes' where id = ${later}`)
  for (const id of [due, later, later]) await resumeMessage(ctx, { id })
  expect(await settleAll(ctx, due)).toMatchObject([{ state: 'sent' }])
  expect(await readMinutesLeft()).toEqual(new Map([[later, 30]]))
})

test.each([
  ['the message', 'the app', 240, 180],
  ['the app', 'the message', 180, 240],
] as const)(
  'a pause within a stop of all sending counts once: %s was stopped before %s',
  async (_, __, paused, stopped) => {
    for (const isMessageFirst of [true, false]) {
      const id = await sendWithSms(ctx, ['989350000002'], { delay: 3_600 })
      await pauseMessage(ctx, { id })
      await stopAllSending(ctx)
      await moveBack(id, 250)
      const ago = (minutes: number) => sql`peyk_now() - make_interval(mins => ${minutes}::int)`
      await store.query(sql`update messages set paused_at = ${ago(paused)} where id = ${id}`)
      await store.query(sql`update apps set stopped_at = ${ago(stopped)} where app_id = ${ctx.app.id}`)
      const resume = [() => resumeMessage(ctx, { id }), () => resumeAllSending(ctx)]
      for (const each of isMessageFirst ? resume : resume.toReversed()) await each()
      // Ten minutes passed before the first of the two, and none after that.
      expect((await readMinutesLeft()).get(id)).toBe(50)
    }
  },
)

test('it waits for its time', async () => {
  const id = await sendWithSms(ctx, ['989350000001'], { delay: 3_600 })
  const now = await sendWithSms(ctx, ['989350000002'])
  await settleAll(ctx, now)
  expect(await readFallbacks(ctx, id)).toMatchObject([{ state: 'waiting' }])
  const [row] = await store.query<{ in_s: number }>(sql`
    select extract(epoch from f.due_at - m.accepted_at)::float8 as in_s
    from sms_fallbacks f join messages m on m.app_id = f.app_id and m.id = f.message_id where f.message_id = ${id}`)
  expect(row?.in_s).toBe(3_600)
})

test.each([
  ['NOT_RECEIVED', 'delivered', 'cancelled'],
  ['NOT_RECEIVED', 'opened', 'cancelled'],
  ['NOTIFICATION_SHOWN', 'delivered', 'sent'],
  ['NOTIFICATION_SHOWN', 'shown', 'cancelled'],
  ['NOTIFICATION_SHOWN', 'dismissed', 'cancelled'],
] as const)('with the policy %s a device that reports %s leaves it %s', async (policy, kind, state) => {
  const phone = await addInstallation(ctx, '989350000001')
  await addInstallation(ctx, '989350000001', { deviceType: 'ios' })
  const id = await sendWithSms(ctx, ['989350000001', '989350000002'], { policy, delay: 3_600 })
  const receipt = { messageId: id, kind, actionId: '', happenedAt: ctx.now() }
  await recordReceipts(ctx, { installationId: phone.id, receipts: [receipt] })
  await store.query(sql`update sms_fallbacks set due_at = now() where message_id = ${id}`)
  expect(await settleAll(ctx, id)).toMatchObject([
    { user_id: '989350000001', state },
    { user_id: '989350000002', state: 'sent' },
  ])
  expect(received()).toHaveLength(state === 'sent' ? 2 : 1)
})

test('a device that logs in as the user later does not call the SMS off', async () => {
  const [user, other] = ['989350000001', '989350000002']
  const mallory = await registerInstallation(ctx, { deviceType: 'android', userId: other })
  await addInstallation(ctx, user)
  const id = await sendWithSms(ctx, [user, other], { delay: 3_600 })
  const acceptedBefore = ctx.now()
  await until(ctx.now, (now) => now > acceptedBefore)
  await updateInstallation(ctx, { id: mallory.id, body: { userId: user } })
  const late = await registerInstallation(ctx, { deviceType: 'android', userId: user })
  for (const installationId of [mallory.id, late.id]) {
    const receipt = { messageId: id, kind: 'opened' as const, actionId: '', happenedAt: ctx.now() }
    await recordReceipts(ctx, { installationId, receipts: [receipt] })
  }
  await store.query(sql`update sms_fallbacks set due_at = now() where message_id = ${id}`)
  expect(await settleAll(ctx, id)).toMatchObject([{ user_id: user, state: 'sent' }, { state: 'sent' }])
})

test('it goes to the number that the back end knows, whatever a client key has set', async () => {
  await givePhone(ctx, 'sara', '+989121111111')
  const client = { ...ctx, client: { identitySecret: undefined } }
  for (const userId of ['sara', '989350000001', 'omid']) {
    const { id: installationId } = await addInstallation(ctx, userId)
    await changeAttributes(client, { installationId, data: { phone: '+989990000000' } })
  }
  const id = await sendWithSms(ctx, ['sara', '989350000001', 'omid'])
  expect(await settleAll(ctx, id)).toMatchObject([
    { user_id: '989350000001', phone: '989350000001' },
    { user_id: 'omid', phone: '989990000000' },
    { user_id: 'sara', phone: '989121111111' },
  ])
})

test('what a delivery has reached already is seen when it is due', async () => {
  const phone = await addInstallation(ctx, '989350000001')
  const id = await sendWithSms(ctx, ['989350000001'])
  const step = { appId: ctx.app.id, messageId: id, installationNo: phone.installationNo, at: ctx.now() }
  await store.transaction((tx) => advanceDeliveries(tx, [{ ...step, state: 'delivered' }]))
  expect(await settleAll(ctx, id)).toMatchObject([{ state: 'cancelled' }])
  expect(received()).toEqual([])
})

test.each([['sent'], ['queued']] as const)('a delivery that is only %s does not keep it back', async (state) => {
  const phone = await addInstallation(ctx, '989350000001')
  const id = await sendWithSms(ctx, ['989350000001'])
  const step = { appId: ctx.app.id, messageId: id, installationNo: phone.installationNo, at: ctx.now() }
  await store.transaction((tx) => advanceDeliveries(tx, [{ ...step, state }]))
  expect(await settleAll(ctx, id)).toMatchObject([{ state: 'sent' }])
})

test('without a phone number, a gateway, or time it ends with its reason', async () => {
  await givePhone(ctx, 'bad', 'call me')
  await setAttributes(ctx, { userId: 'odd', attributes: { phone: ['1'] } })
  const id = await sendWithSms(ctx, ['bad', 'nobody', 'odd'])
  expect((await settleAll(ctx, id)).map(({ state }) => state)).toEqual(['no-phone', 'no-phone', 'no-phone'])

  const expired = await sendWithSms(ctx, ['989350000001'], {}, { ttl: 60 })
  await store.query(sql`update messages set expires_at = now() where app_id = ${ctx.app.id} and id = ${expired}`)
  expect(await settleAll(ctx, expired)).toMatchObject([{ state: 'expired' }])

  const poor = await createTestApp(store, { external })
  const without = await sendWithSms(poor, ['989350000001'])
  expect(await settleAll(poor, without)).toMatchObject([{ state: 'no-provider' }])
  expect(received()).toEqual([])
})

test('a message that is cancelled sends none', async () => {
  const id = await sendWithSms(ctx, ['989350000001'])
  await cancelMessage(ctx, { id })
  expect(await readFallbacks(ctx, id)).toMatchObject([{ state: 'cancelled' }])
})

test('its text is a template with the user’s attributes and the code of the message', async () => {
  await replaceGlobalCodes(ctx, { file: Readable.from(['CODE-1\n']) })
  await setAttributes(ctx, { userId: 'sara', attributes: { phone: '989121234567', firstName: 'Sara' } })
  const content = 'Dear {{ user.firstName | default: "friend" }}: {{ promoCode }}'
  const id = await sendWithSms(ctx, ['989350000001', 'sara'], { content })
  const rows = await settleAll(ctx, id)
  expect(rows.map(({ state }) => state).toSorted()).toEqual(['refused', 'sent'])
  expect(rows.find(({ state }) => state === 'refused')?.detail).toContain('promo code')
  expect(received()).toHaveLength(1)
  expect(['Dear Sara: CODE-1', 'Dear friend: CODE-1']).toContain(received()[0]?.text)
})

test('codes that the app withholds are in no SMS either', async () => {
  await replaceGlobalCodes(ctx, { file: Readable.from(['CODE-1\nCODE-2\nCODE-3\n']) })
  await changeApp(ctx, { withholdCodesHours: 24 })
  await addInstallation(ctx, '989350000001')
  await addInstallation(ctx, '989350000002')
  await addInstallation(ctx, '989350000002', { createdAt: new Date(Number(ctx.now()) - 25 * 3_600_000) })
  const users = ['989350000001', '989350000002', '989350000003']
  const id = await sendWithSms(ctx, users, { content: 'Code {{ promoCode }}' })
  expect(await settleAll(ctx, id)).toMatchObject([
    { state: 'refused', detail: expect.stringContaining('gives no promo codes') },
    { state: 'sent' },
    { state: 'sent' },
  ])
  expect(await store.query(sql`select from promo_given where app_id = ${ctx.app.id}`)).toHaveLength(2)
})

test('a template that does not parse is refused with the message', async () => {
  await expect(sendWithSms(ctx, ['989350000001'], { content: '{{ user.' })).rejects.toMatchObject({
    code: 'invalid-template',
    details: { field: 'fallback.content' },
  })
})

test('the limit of the day holds over several loops, and an alert is raised', async () => {
  await giveSms(ctx, providers, { dailyLimit: 5 })
  const users = Array.from({ length: 30 }, (_, index) => `98935000${String(index).padStart(4, '0')}`)
  const id = await sendWithSms(ctx, users)
  await whileSending(ctx, () => settleAll(ctx, id))
  expect(await countFallbacks(store, { appId: ctx.app.id, messageId: id })).toEqual({ sent: 5, 'over-limit': 25 })
  expect(received()).toHaveLength(5)
  expect(await listAlerts(ctx)).toMatchObject([{ kind: 'sms-limit', details: { dailyLimit: 5 } }])
})

test('a refusal ends it; no answer leaves it unknown; it is never sent twice', async () => {
  providers.faults.set('sms', [
    { match: { token: '+989350000001' }, status: 400, reason: '21610' },
    { match: { token: '+989350000002' }, status: 500 },
  ])
  const id = await sendWithSms(ctx, ['989350000001', '989350000002', '989350000003'])
  expect(await settleAll(ctx, id)).toMatchObject([{ state: 'refused' }, { state: 'unknown' }, { state: 'sent' }])
  expect(received()).toHaveLength(3)
})

test('a gateway that is busy is asked again when it says so, and the SMS is not counted twice', async () => {
  providers.faults.set('sms', [{ match: { first: 1 }, status: 429, retryAfter: 600 }])
  const id = await sendWithSms(ctx, ['989350000001'])
  await whileSending(ctx, async () => {
    await poll(() => readFallbacks(ctx, id)).toMatchObject([
      { state: 'waiting', detail: expect.stringContaining('429') },
    ])
  })
  const [row] = await store.query<{ in_s: number; sent: number }>(sql`
    select extract(epoch from due_at - now())::float8 as in_s, (select sent from sms_days d where d.app_id = f.app_id) as sent
    from sms_fallbacks f where message_id = ${id}`)
  expect(row?.in_s).toBeGreaterThan(590)
  expect(row?.sent).toBe(0)
  await store.query(sql`update sms_fallbacks set due_at = now() where message_id = ${id}`)
  expect(await settleAll(ctx, id)).toMatchObject([{ state: 'sent' }])
  expect(received()).toHaveLength(2)
})

test('wrong credentials pause SMS of the app; they go on with right ones', async () => {
  await giveSms(ctx, providers, { authToken: 'wrong' })
  const id = await sendWithSms(ctx, ['989350000001', '989350000002'])
  await whileSending(ctx, async () => {
    await poll(() => listAlerts(ctx)).toMatchObject([{ kind: 'provider-paused', subject: 'sms' }])
    await poll(async () => (await readFallbacks(ctx, id)).map(({ state }) => state)).toEqual(['waiting', 'waiting'])
  })
  await giveSms(ctx, providers)
  await store.query(sql`update sms_fallbacks set due_at = now() where message_id = ${id}`)
  expect(await settleAll(ctx, id)).toMatchObject([{ state: 'sent' }, { state: 'sent' }])
})

test('an SMS whose sender died is unknown after a minute and never sent again', async () => {
  const id = await sendWithSms(ctx, ['989350000001', '989350000002'])
  await store.query(sql`
    update sms_fallbacks set state = 'sending', reference = gen_random_uuid(),
      updated_at = now() - case user_id when '989350000001' then interval '61 seconds' else interval '30 seconds' end
    where message_id = ${id}`)
  await giveUpLost(store)
  await giveUpLost(store)
  expect(await readFallbacks(ctx, id)).toMatchObject([{ state: 'unknown' }, { state: 'sending' }])
  expect(received()).toEqual([])
})

test('a slow gateway of one app does not hold up another', async () => {
  providers.faults.set('sms', [{ match: { token: '+989350000001' }, delayMs: 25_000 }])
  const slow = await sendWithSms(ctx, ['989350000001'])
  const other = await createTestApp(store, { external })
  await giveSms(other, providers)
  const quick = await sendWithSms(other, ['989350000002'])
  await whileSending(ctx, async () => {
    await poll(() => readFallbacks(ctx, slow)).toMatchObject([{ state: 'sending' }])
    await poll(() => readFallbacks(other, quick)).toMatchObject([{ state: 'sent' }])
    expect(await readFallbacks(ctx, slow)).toMatchObject([{ state: 'sending' }])
    providers.faults.clear()
  })
  expect(await readFallbacks(ctx, slow)).toMatchObject([{ state: 'sent' }])
})

test('a receipt at the moment of the SMS: exactly one of cancelled or sent, many times', async () => {
  const rounds = effort.receiptsAtTheSms
  const phones = await Promise.all(
    Array.from({ length: rounds }, async (_, round) => {
      const userId = `98936000${String(round).padStart(4, '0')}`
      return { userId, ...(await addInstallation(ctx, userId)) }
    }),
  )
  const messages: string[] = []
  await whileSending(ctx, () =>
    whileSending(ctx, async () => {
      for (const { userId, id } of phones) {
        const messageId = await sendWithSms(ctx, [userId], { content: userId })
        messages.push(messageId)
        const receipt = { messageId, kind: 'delivered' as const, actionId: '', happenedAt: ctx.now() }
        // Sometimes first, sometimes last, mostly in between.
        for (let turns = messages.length % 12; turns > 0; turns--) await store.query(sql`select 1`)
        await recordReceipts(ctx, { installationId: id, receipts: [receipt] })
      }
      await poll(() =>
        store.query(sql`select from sms_fallbacks where app_id = ${ctx.app.id} and state in ('waiting', 'sending')`),
      ).toEqual([])
    }),
  )
  const rows = (await Promise.all(messages.map((id) => readFallbacks(ctx, id)))).flat()
  const sent = rows.filter(({ state }) => state === 'sent').map(({ user_id }) => user_id)
  expect(rows.filter(({ state }) => state === 'cancelled').length + sent.length).toBe(rounds)
  expect(
    received()
      .map(({ text }) => text)
      .toSorted(),
  ).toEqual(sent.toSorted())
})

test('an SMS is in the language of the installation that the user visited last', async () => {
  const users = ['989121110001', '989121110002', '989121110003', '989121110004']
  const createdAt = new Date(Date.now() - 86_400_000)
  await addInstallation(ctx, '989121110001', { language: 'fa-IR' })
  await addInstallation(ctx, '989121110001', { language: 'en', createdAt })
  await addInstallation(ctx, '989121110002', { language: 'fa', isUninstalled: true })
  await addInstallation(ctx, '989121110002', { language: 'de', createdAt })
  await addInstallation(ctx, '989121110003', { language: 'fr' })
  const id = await sendWithSms(
    ctx,
    users,
    { content: 'Code 1' },
    {
      contents: { fa: { fallback: { content: 'کد {{ userId }}' } }, de: { content: 'Hallo' } },
    },
  )
  await settleAll(ctx, id)
  const texts = new Map(received().map(({ to, text }) => [to.replace('+', ''), text]))
  expect(users.map((user) => texts.get(user))).toEqual(['کد 989121110001', 'Code 1', 'Code 1', 'Code 1'])
})

test('an SMS is traced with its message, without the number', async () => {
  const ended = traceHere()
  const id = await sendWithSms(ctx, ['989350000001'])
  await settleAll(ctx, id)
  const [sms] = ended.filter(({ name }) => name === 'send sms')
  expect(Object.fromEntries(sms?.attributes ?? [])).toMatchObject({
    'peyk.message_id': id,
    'peyk.provider': 'sms',
    'peyk.outcome': 'accepted',
    'http.response.status_code': 201,
  })
  expect(JSON.stringify([...(sms?.attributes ?? [])])).not.toContain('989350000001')
})
