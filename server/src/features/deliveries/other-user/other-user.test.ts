import { Readable } from 'node:stream'
import { createDelivery } from '@peyk/test/delivery.ts'
import { listenTo, readOutbox } from '@peyk/test/outbox.ts'
import { recall } from '@peyk/test/recall.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OutwardContext } from '#base/context.ts'
import { changeApp } from '../../accounts/apps/change-app.ts'
import { createCategory } from '../../categories/create-category.ts'
import { explainMessage } from '../../explain/explain-message.ts'
import { setAttributes } from '../../installations/attributes/set-attributes.ts'
import { addTags } from '../../installations/tags/add-tags.ts'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { sendToUsers } from '../../messages/send/send-to-users.ts'
import { mayInterest } from '../../outbox/outbox.ts'
import { deleteUser } from '../../privacy/delete-user.ts'
import { replaceGlobalCodes } from '../../promo/replace-global-codes.ts'
import { recordReceipts } from '../../receipts/record-receipts.ts'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import { givePhone, giveSms, sendWithSms, settleAll } from '../fallback/fallback.test-support.ts'
import { clockIn, startAndCut } from '../local-time/local-time.test-support.ts'
import { getMessage } from '../read/get-message.ts'
import { listDeliveries } from '../read/list-deliveries.ts'
import { forgetUserChanges } from './forget-user-changes.ts'
import { SharedDevice } from './other-user.test-support.ts'
import { returnRefusedCodes } from './return-refused-codes.ts'
import { settleUserChanges } from './settle-user-changes.ts'

/** [ADR-0099] What was decided for one user does not reach the next one on the device. */

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

const onlyFor = (userId: string) => ({ target: { userId } })
const refused = { state: 'ended', reason: 'refused', detail_code: 'other-user', in_inbox: false }

async function sendToGroup(body: object): Promise<string> {
  const { id } = await sendByQuery(ctx, { target: {}, content: 'Hello', ...body })
  return id
}

async function sendTo(user: string | string[], body: object = {}): Promise<string> {
  const { id } = (await sendToUsers(ctx, { user, content: 'Hello', ...body })) as { id: string }
  return id
}

async function doJobs(): Promise<void> {
  await settleUserChanges(ctx)
  await returnRefusedCodes(ctx)
}

const pushTokens = (messageId: string) => providers.record.list({ messageId }).map(({ token }) => token)

const issueToken = () => providers.tokens.issue('fcm') as string

async function restart(options: Parameters<typeof startDispatcher>[0] = {}): Promise<void> {
  await dispatcher.stop()
  dispatcher = startDispatcher(options)
}

/** Puts what waits for a time into the work-list now. */
async function makeDue(messageId: string): Promise<void> {
  await store.query(sql`
    update delivery_batches set available_at = now() where app_id = ${ctx.app.id} and message_id = ${messageId}`)
}

async function untilUnleased(messageId: string): Promise<void> {
  await until(
    () =>
      store.query(sql`
        select from delivery_batches
        where app_id = ${ctx.app.id} and message_id = ${messageId} and lease_holder is null and stream <> 'expand'`),
    (rows) => rows.length > 0,
  )
}

async function untilWaiting(messageId: string): Promise<void> {
  await until(
    () =>
      store.query(sql`
        select from delivery_batches
        where app_id = ${ctx.app.id} and message_id = ${messageId} and lease_holder is null and stream <> 'expand'
          and (available_at > now() or paced_from is not null)`),
    (rows) => rows.length > 0,
  )
}

describe('a message to a group that waits in the inbox', () => {
  it.each(['another user', 'a guest'])('is not for %s', async (next) => {
    const device = await SharedDevice.register(ctx, { userId: 'A' })
    await addTags(ctx, { userId: 'A', tags: ['vip'] })
    const ids = [await sendToGroup(onlyFor('A')), await sendToGroup({ target: { tags: { inq: ['vip'] } } })]
    ids.push(await sendToGroup({ target: { deviceType: 'android' } }), await sendToGroup({}))
    for (const id of ids) await device.untilInInbox(id)
    expect([...(await device.readInbox()).keys()]).toEqual(ids)
    await (next === 'a guest' ? device.logOut() : device.logIn('B'))
    expect(await device.readInbox()).toEqual(new Map())
    const own = await sendToGroup({})
    await device.untilInInbox(own)
    await doJobs()
    for (const id of ids) expect(await device.readDelivery(id)).toMatchObject(refused)
    expect([...(await device.readInbox()).keys()]).toEqual([own])
    expect((await getMessage(ctx, { id: ids[0] as string })).reasons).toMatchObject({ refused: 1 })
  })

  it('stays with a guest who logs in there for the first time, and goes when that user does', async () => {
    const device = await SharedDevice.register(ctx)
    const guest = device.userId
    const ids = [await sendToGroup({}), await sendTo(guest), await sendToGroup(onlyFor(guest))]
    for (const id of ids) await device.untilInInbox(id)
    await device.logIn('A')
    await doJobs()
    expect([...(await device.readInbox()).keys()]).toEqual(ids)
    await device.logIn('B')
    expect(await device.readInbox()).toEqual(new Map())
  })

  it('keeps whose the installation was no longer than messages from that time', async () => {
    const device = await SharedDevice.register(ctx, { userId: 'A' })
    await device.logIn('B')
    await doJobs()
    const changes = () => store.query(sql`select from installation_user_changes where app_id = ${ctx.app.id}`)
    await forgetUserChanges(ctx)
    expect(await changes()).toHaveLength(1)
    await store.query(sql`
      update installation_user_changes set due_at = null, changed_at = changed_at - interval '2 days' where app_id = ${ctx.app.id}`)
    await forgetUserChanges(ctx)
    expect(await changes()).toEqual([])
  })

  it('reaches nobody who logs in after a logout', async () => {
    const device = await SharedDevice.register(ctx, { userId: 'A' })
    const id = await sendToGroup({})
    await device.untilInInbox(id)
    await device.logOut()
    await device.logIn('B')
    expect(await device.readInbox()).toEqual(new Map())
    await doJobs()
    expect(await device.readDelivery(id)).toMatchObject(refused)
  })

  it('is for the user who has the device when the audience is looked up, however late that is', async () => {
    const device = await SharedDevice.register(ctx, { userId: 'A' })
    const { sending } = await store.transaction(async (tx) => {
      await tx.query(sql`lock table audience_parts in exclusive mode`)
      const sending = sendToGroup(onlyFor('B'))
      await until(
        () => tx.query(sql`select from pg_locks where relation = 'audience_parts'::regclass and not granted`),
        (waiting) => waiting.length > 0,
      )
      await device.logIn('B')
      return { sending }
    })
    const id = await sending
    await device.untilInInbox(id)
    expect([...(await device.readInbox()).keys()]).toEqual([id])
  })

  it('keeps what a provider has brought from the next user, and what became of it', async () => {
    const token = issueToken()
    const device = await SharedDevice.register(ctx, { userId: 'A', deviceToken: token })
    const id = await sendToGroup({})
    await until(
      () => device.readDelivery(id),
      (row) => row?.state === 'sent',
    )
    await device.logIn('B')
    expect(await device.readInbox()).toEqual(new Map())
    await doJobs()
    expect(await device.readDelivery(id)).toMatchObject({ state: 'sent', in_inbox: false })
  })

  it('is taken away from the device of the next user when it is recalled', async () => {
    const device = await SharedDevice.register(ctx, { userId: 'A' })
    const [refusedBefore, refusedAfter] = [await sendToGroup({}), await sendToGroup({})]
    for (const id of [refusedBefore, refusedAfter]) await device.untilInInbox(id)
    await device.logIn('B')
    await recall(ctx, refusedAfter)
    await doJobs()
    await recall(ctx, refusedBefore)
    expect([...(await device.readInbox()).keys()]).toEqual([refusedBefore, refusedAfter])
    const pushed = await SharedDevice.register(ctx, { userId: 'C', deviceToken: issueToken() })
    const sent = await sendToGroup(onlyFor('C'))
    await until(
      () => pushed.readDelivery(sent),
      (row) => row?.state === 'sent',
    )
    await pushed.logIn('D')
    await doJobs()
    expect(await recall(ctx, sent)).toMatchObject({ cleared: 1 })
  })

  it('is told of with the user whom it was for', async () => {
    const device = await SharedDevice.register(ctx, { userId: 'A' })
    const id = await sendToGroup({})
    await device.untilInInbox(id)
    await device.logIn('B')
    await doJobs()
    // However long ago it is: the message is still there.
    await store.query(sql`
      update installation_user_changes set due_at = null, changed_at = changed_at - interval '1 year' where app_id = ${ctx.app.id}`)
    await store.query(sql`
      update messages set accepted_at = accepted_at - interval '1 year' where app_id = ${ctx.app.id} and id = ${id}`)
    await forgetUserChanges(ctx)
    const { data } = await listDeliveries(ctx, { id })
    expect(data).toMatchObject([{ userId: 'A', state: 'ended', reason: 'refused' }])
    expect((await listDeliveries(ctx, { id, userId: 'A' })).data).toHaveLength(1)
    expect((await listDeliveries(ctx, { id, userId: 'B' })).data).toEqual([])
    const story = await explainMessage(ctx, { id, user: 'A' })
    expect(story.installations).toMatchObject([{ installationId: device.id, state: 'ended', reason: 'refused' }])
    expect(JSON.stringify(story)).toContain('nother user is logged in')
    expect((await explainMessage(ctx, { id, user: 'B' })).installations).toMatchObject([
      { installationId: device.id, story: expect.arrayContaining([expect.objectContaining({ kind: 'not-matched' })]) },
    ])
  })
})

describe('a message to a public channel', () => {
  const channel = 'public/news'

  async function onNews(userId: string): Promise<SharedDevice> {
    const device = await SharedDevice.register(ctx, { userId })
    await store.query(sql`
      update installations set subscriptions = array['public/news']
      where app_id = ${ctx.app.id} and installation_no = ${device.installationNo}`)
    return device
  }

  it('stays on the device, whoever uses it by then', async () => {
    const device = await onNews('A')
    const ids = [await sendTo('*', { channel }), await sendTo('*')]
    ids.push(await sendToGroup({ channel, target: { deviceType: 'android' } }))
    for (const id of ids) await device.untilInInbox(id)
    await device.logIn('B')
    await doJobs()
    expect([...(await device.readInbox()).keys()]).toEqual(ids)
  })

  it('does not stay where a text, a code, a category, a test, or a rule depends on the user', async () => {
    await createCategory(ctx, { id: 'ads', name: { en: 'Ads' } })
    await replaceGlobalCodes(ctx, { file: Readable.from(['A-1\n']) })
    await setAttributes(ctx, { userId: 'A', attributes: { city: 'Tehran' } })
    const device = await onNews('A')
    const variants = [
      { name: 'one', share: 50, content: '1' },
      { name: 'two', share: 50, content: '2' },
    ]
    const ids = [
      await sendTo('*', { channel, content: 'for {{ user.id }}' }),
      await sendTo('*', { channel, content: 'with {{ promoCode }}' }),
      await sendTo('*', { channel, category: 'ads' }),
      await sendTo('*', { channel, variants }),
      await sendToGroup({ channel, target: { 'attributes.city': 'Tehran' } }),
      await sendToGroup({ channel, ...onlyFor('A') }),
    ]
    for (const id of ids) await device.untilInInbox(id)
    await device.logIn('B')
    expect(await device.readInbox()).toEqual(new Map())
    await doJobs()
    for (const id of ids) expect(await device.readDelivery(id)).toMatchObject(refused)
  })
})

describe('a message to named users', () => {
  it('waits for its user in the inbox', async () => {
    const device = await SharedDevice.register(ctx, { userId: 'A' })
    const id = await sendTo('A', { content: 'for {{ user.id }}' })
    await device.untilInInbox(id)
    await device.logIn('B')
    await doJobs()
    expect(await device.readInbox()).toEqual(new Map())
    await device.logIn('A')
    expect((await device.readInbox()).get(id)).toMatchObject({ content: 'for A' })
  })

  it('of whom both use the device is not written for the second', async () => {
    await createCategory(ctx, { id: 'ads', name: { en: 'Ads' } })
    const device = await SharedDevice.register(ctx, { userId: 'A' })
    await SharedDevice.register(ctx, { userId: 'B' })
    const ids = [await sendTo(['A', 'B'], { content: '{{ user.id }}' }), await sendTo(['A', 'B'], { category: 'ads' })]
    const plain = await sendTo(['A', 'B'])
    for (const id of [...ids, plain]) await device.untilInInbox(id)
    await device.logIn('B')
    expect([...(await device.readInbox()).keys()]).toEqual([plain])
    await doJobs()
    for (const id of ids) expect(await device.readDelivery(id)).toMatchObject(refused)
  })
})

describe('what waits for a provider', () => {
  it('is not pushed to the next user after a 503, whatever it is', async () => {
    const device = await SharedDevice.register(ctx, { userId: 'A', deviceToken: issueToken() })
    providers.faults.set('fcm', [{ status: 503, retryAfter: 600 }])
    const ids = [await sendToGroup({ notification: { title: 'For {{ user.id }}' } }), await sendTo('A')]
    // The second is not even taken where FCM has answered the first by then.
    for (const id of ids) await untilUnleased(id)
    await dispatcher.stop()
    providers.faults.clear()
    await device.logIn('B')
    await restart()
    for (const id of ids) await makeDue(id)
    for (const id of ids) expect(await device.untilEnded(id)).toMatchObject(refused)
    for (const id of ids) expect(providers.record.list({ messageId: id }).filter(({ isTaken }) => isTaken)).toEqual([])
  })

  it('is not pushed when it waited for quiet hours, a cap, or a winner, nor when it is cut after the change', async () => {
    for (const id of ['ads', 'news']) await createCategory(ctx, { id, name: { en: id } })
    const clock = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)
    const token = issueToken()
    const device = await SharedDevice.register(ctx, { userId: 'A', deviceToken: token })
    await changeApp(ctx, { caps: [{ count: 1, window: '24h', categories: ['news'] }] })
    await sendToGroup({ category: 'news' }).then((id) =>
      until(
        () => device.readDelivery(id),
        (row) => row?.state === 'sent',
      ),
    )
    const capped = await sendToGroup({ category: 'news', whenCapped: 'wait' })
    await untilWaiting(capped)
    await changeApp(ctx, { quietHours: { from: clock(-1), to: clock(2) } })
    const quiet = await sendToGroup({ category: 'ads' })
    await untilWaiting(quiet)
    await dispatcher.stop()
    const uncut = await sendToGroup({})
    await device.logIn('B')
    await changeApp(ctx, { quietHours: null, caps: [] })
    await restart()
    const own = await sendToGroup({})
    for (const id of [capped, quiet]) await makeDue(id)
    for (const id of [capped, quiet, uncut]) {
      expect(await device.untilEnded(id)).toMatchObject({ ...refused, provider: null })
      expect(pushTokens(id)).toEqual([])
    }
    await until(
      () => pushTokens(own),
      (tokens) => tokens.length === 1,
    )
  })

  it('is not pushed when its pace, its local time, or the winner of its test has come', async () => {
    const device = await SharedDevice.register(ctx, { userId: 'A', deviceToken: issueToken() })
    await store.query(sql`
      update installations set time_zone = 'UTC' where app_id = ${ctx.app.id} and installation_no = ${device.installationNo}`)
    const variants = ['one', 'two'].map((name) => ({ name, share: 50, content: name }))
    const winner = { by: 'opened', after: '1h', testShare: 1, otherwise: 'one' }
    const waitsForWinner = (id: string) =>
      store.query(sql`
        select from delivery_batches where app_id = ${ctx.app.id} and message_id = ${id} and awaits_winner`)
    let tested: string
    // The device is among the few who are tested at times.
    do {
      tested = await sendToGroup({ variants, winner })
      await until(
        async () => (await waitsForWinner(tested)).length > 0 || (await device.readDelivery(tested)) !== undefined,
        (isDecided) => isDecided,
      )
    } while ((await waitsForWinner(tested)).length === 0)
    await dispatcher.stop()
    const paced = await sendToGroup({ throttle: { perMinute: 60 } })
    const local = await sendToGroup({ sendAt: { local: clockIn(2), late: 'skip' } })
    await startAndCut(ctx)
    await device.logIn('B')
    await restart()
    await makeDue(local)
    await store.query(sql`
      update delivery_batches set lane = 'group', stream = 'fcm' where app_id = ${ctx.app.id} and message_id = ${local}`)
    await makeDue(tested)
    for (const id of [paced, local, tested]) {
      expect(await device.untilEnded(id)).toMatchObject({ ...refused, provider: null })
      expect(pushTokens(id)).toEqual([])
    }
  })

  it('tells webhooks of the user whom it was for', async () => {
    await listenTo(ctx, ['message.failed'])
    await until(
      async () => mayInterest(store, ctx.app.id, 'message.failed'),
      (may) => may,
    )
    await dispatcher.stop()
    const device = await SharedDevice.register(ctx, { userId: 'A', deviceToken: issueToken() })
    const id = await sendToGroup({})
    await device.logIn('B')
    await restart()
    await device.untilEnded(id)
    expect(await readOutbox(ctx)).toMatchObject([{ kind: 'message.failed', body: { userId: 'A', reason: 'refused' } }])
  })
})

describe('what was taken for a delivery that is refused', () => {
  const givenCodes = () =>
    store.query<{ code: string }>(sql`select code from promo_given where app_id = ${ctx.app.id} order by code`)

  it('returns a code that nobody has seen, from the inbox and from the work-list', async () => {
    await replaceGlobalCodes(ctx, { file: Readable.from(['A-1\nA-2\n']) })
    const [offline, pushed] = [
      await SharedDevice.register(ctx, { userId: 'A' }),
      await SharedDevice.register(ctx, { userId: 'C', deviceToken: issueToken() }),
    ]
    providers.faults.set('fcm', [{ status: 503, retryAfter: 600 }])
    const id = await sendToGroup({ content: 'Your code: {{ promoCode }}', useAsAlert: true })
    await offline.untilInInbox(id)
    await untilWaiting(id)
    expect(await givenCodes()).toHaveLength(2)
    providers.faults.clear()
    await offline.logIn('B')
    await pushed.logIn('D')
    await restart()
    await makeDue(id)
    await pushed.untilEnded(id)
    await doJobs()
    expect(await offline.readDelivery(id)).toMatchObject(refused)
    expect(await givenCodes()).toEqual([])
    const again = await sendToGroup({ content: 'Your code: {{ promoCode }}', ...onlyFor('B') })
    await offline.untilInInbox(again)
    expect((await offline.readInbox()).get(again)).toMatchObject({ content: expect.stringMatching(/A-[12]/) })
  })

  it('returns the code of a guest who logged in before', async () => {
    await replaceGlobalCodes(ctx, { file: Readable.from(['A-1\n']) })
    const device = await SharedDevice.register(ctx)
    const id = await sendToGroup({ content: 'Your code: {{ promoCode }}' })
    await device.untilInInbox(id)
    for (const user of ['A', 'B']) await device.logIn(user)
    await doJobs()
    expect(await device.readDelivery(id)).toMatchObject(refused)
    expect(await givenCodes()).toEqual([])
  })

  it('stays with a guest who logs in, also after somebody else had logged out', async () => {
    await replaceGlobalCodes(ctx, { file: Readable.from(['A-1\nA-2\n']) })
    const device = await SharedDevice.register(ctx, { userId: 'A' })
    await device.logOut()
    const id = await sendToGroup({ content: 'Your code: {{ promoCode }}' })
    await device.untilInInbox(id)
    await device.logIn('B')
    expect((await device.readInbox()).get(id)).toMatchObject({ content: 'Your code: A-1' })
  })

  it('gives a guest who logs in while the message waits for a provider no second code', async () => {
    await replaceGlobalCodes(ctx, { file: Readable.from(['A-1\nA-2\n']) })
    const device = await SharedDevice.register(ctx, { deviceToken: issueToken() })
    providers.faults.set('fcm', [{ status: 503, retryAfter: 600 }])
    const id = await sendToGroup({ notification: { title: 'Your code: {{ promoCode }}' } })
    await untilWaiting(id)
    providers.faults.clear()
    await device.logIn('A')
    await restart()
    await makeDue(id)
    await until(
      () => device.readDelivery(id),
      (row) => row?.state === 'sent',
    )
    expect(await givenCodes()).toEqual([{ code: 'A-1' }])
    expect((await device.readInbox()).get(id)).toMatchObject({ notification: { title: 'Your code: A-1' } })
  })

  it('does not keep the SMS from its user, whatever the next user of the device reports', async () => {
    await giveSms(ctx, providers)
    await givePhone(ctx, 'A', '+989120000001')
    const device = await SharedDevice.register(ctx, { userId: 'A' })
    const id = await sendWithSms(ctx, ['A'])
    await device.untilInInbox(id)
    await device.logIn('B')
    const receipt = { messageId: id, kind: 'shown', actionId: '', happenedAt: new Date() } as const
    await recordReceipts(ctx, { installationId: device.id, receipts: [receipt] })
    expect(await settleAll(ctx, id)).toMatchObject([{ user_id: 'A', state: 'sent' }])
  })

  it('is not the next user’s when the data of the user is deleted', async () => {
    const device = await SharedDevice.register(ctx, { userId: 'A' })
    const id = await sendToGroup({})
    await device.untilInInbox(id)
    await device.logIn('B')
    await deleteUser(ctx, { userId: 'A' })
    expect(await device.readInbox()).toEqual(new Map())
    await doJobs()
    expect(await device.readDelivery(id)).toMatchObject(refused)
    const [delivery] = (await listDeliveries(ctx, { id })).data
    expect(delivery).not.toHaveProperty('userId')
    expect((await listDeliveries(ctx, { id, userId: 'B' })).data).toEqual([])
  })

  it('keeps a code that was written to a connection, and one of a user who gets the message elsewhere', async () => {
    await replaceGlobalCodes(ctx, { file: Readable.from(['A-1\nA-2\n']) })
    const [device, shared, second] = [
      await SharedDevice.register(ctx, { userId: 'A' }),
      await SharedDevice.register(ctx, { userId: 'C' }),
      await SharedDevice.register(ctx, { userId: 'C' }),
    ]
    const id = await sendToGroup({ content: 'Your code: {{ promoCode }}' })
    for (const each of [device, shared, second]) await each.untilInInbox(id)
    expect((await device.readInbox()).size).toBe(1)
    for (const each of [device, shared]) await each.logIn('B')
    await doJobs()
    expect(await givenCodes()).toHaveLength(2)
    await second.logIn('D')
    await doJobs()
    expect(await givenCodes()).toHaveLength(1)
  })

  it('returns the place in a cap of a user who has another device, to which the message does not go', async () => {
    await createCategory(ctx, { id: 'ads', name: { en: 'Ads' } })
    await changeApp(ctx, { caps: [{ count: 1, window: '24h' }] })
    const device = await SharedDevice.register(ctx, { userId: 'A' })
    await SharedDevice.register(ctx, { userId: 'A' })
    const id = await sendToGroup({ category: 'ads', target: { id: device.id } })
    await device.untilInInbox(id)
    await device.logIn('B')
    await doJobs()
    expect(await device.readDelivery(id)).toMatchObject(refused)
    expect(
      await store.query(sql`
        select from recent_hand_overs where app_id = ${ctx.app.id} and ${id}::uuid = any(message_ids)`),
    ).toEqual([])
  })

  it('returns the place in a cap, and leaves the test of the message', async () => {
    await createCategory(ctx, { id: 'ads', name: { en: 'Ads' } })
    await changeApp(ctx, { caps: [{ count: 1, window: '24h' }] })
    const [inbox, list] = [
      await SharedDevice.register(ctx, { userId: 'A' }),
      await SharedDevice.register(ctx, { userId: 'C', deviceToken: issueToken() }),
    ]
    providers.faults.set('fcm', [{ status: 503, retryAfter: 600 }])
    const id = await sendToGroup({ category: 'ads', control: 1 })
    await inbox.untilInInbox(id)
    await untilWaiting(id)
    const counted = () =>
      store.query(sql`
        select from recent_hand_overs where app_id = ${ctx.app.id} and ${id}::uuid = any(message_ids)`)
    expect(await counted()).toHaveLength(2)
    await inbox.logIn('B')
    await list.logIn('D')
    providers.faults.clear()
    await restart()
    await makeDue(id)
    await list.untilEnded(id)
    await doJobs()
    expect(await counted()).toEqual([])
    expect(
      await store.query(sql`
        select from deliveries where app_id = ${ctx.app.id} and message_id = ${id} and (variant is not null or tested_at is not null)`),
    ).toEqual([])
  })
})
