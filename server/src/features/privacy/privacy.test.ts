import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { findBroken } from '@peyk/test/invariants.ts'
import sql, { raw } from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { Context, OutwardContext } from '#base/context.ts'
import { timeOrderedId } from '#base/ids.ts'
import { advanceDeliveries } from '../deliveries/progress/advance-deliveries.ts'
import { adoptUserEvents } from '../events/adoption/adopt-user-events.ts'
import { trackEvent } from '../events/track/track-event.ts'
import { trackPurchase } from '../events/track/track-purchase.ts'
import { setAttributes } from '../installations/attributes/set-attributes.ts'
import { registerInstallation } from '../installations/register/register-installation.ts'
import { updateInstallation } from '../installations/register/update-installation.ts'
import { addTags } from '../installations/tags/add-tags.ts'
import { addValueTag } from '../installations/tags/add-value-tag.ts'
import { unregisterInstallation } from '../installations/uninstalls/unregister-installation.ts'
import { sendByQuery } from '../messages/send/send-by-query.ts'
import { sendToUsers } from '../messages/send/send-to-users.ts'
import { replace, take } from '../promo/promo.test-support.ts'
import { recordReceipts } from '../receipts/record-receipts.ts'
import { deleteUser } from './delete-user.ts'
import { readExport } from './export.test-support.ts'

const store = await createTestStore()

/** Each look at the clock is a second later, so that what follows is later too. */
function createApp(): Promise<OutwardContext> {
  let time = Date.now() - 3_600_000
  return createTestApp(store, {
    at: () => {
      time += 1_000
      return new Date(time)
    },
  })
}

const register = async (ctx: Context, userId: string, more: Record<string, unknown> = {}) => {
  const { id } = await registerInstallation(ctx, { userId, deviceType: 'android', ...more })
  return id as string
}
const logIn = (ctx: Context, id: string, userId: string) =>
  updateInstallation(ctx, { id, body: { userId, isGuest: false } })
const send = async (ctx: Context, ...users: string[]) => {
  const answer = await sendToUsers(ctx, { users, content: `to ${users.join(' and ')}` })
  return (answer as { id: string }).id
}

async function numberOf(ctx: Context, installationId: string): Promise<number> {
  const [row] = await store.query<{ installation_no: number }>(sql`
    select installation_no from installations where app_id = ${ctx.app.id} and id = ${installationId}`)
  return row?.installation_no as number
}

async function userNoOf(ctx: Context, userId: string): Promise<number> {
  const [row] = await store.query<{ user_no: number }>(sql`
    select user_no from users where app_id = ${ctx.app.id} and user_id = ${userId}`)
  return row?.user_no as number
}

async function open(ctx: Context, installationId: string, messageId: string) {
  const at = ctx.now()
  const step = {
    appId: ctx.app.id,
    messageId,
    installationNo: await numberOf(ctx, installationId),
    state: 'sent',
    at,
  } as const
  await store.transaction((tx) => advanceDeliveries(tx, [{ ...step, provider: 'fcm' }]))
  await recordReceipts(ctx, { installationId, receipts: [{ messageId, kind: 'opened', actionId: '', happenedAt: at }] })
}

/** A user with something of every kind. */
async function createSara(ctx: Context) {
  const installation = await register(ctx, 'sara', {
    deviceToken: 'sara-token',
    deviceModel: 'Phone 9',
    subscriptions: ['public/news'],
  })
  await addTags(ctx, { userId: 'sara', tags: ['vip'] })
  await addValueTag(ctx, { userId: 'sara', tag: 'city', value: 'tehran' })
  await setAttributes(ctx, { userId: 'sara', attributes: { firstName: 'Sara' } })
  await setAttributes(ctx, { installationId: installation, attributes: { theme: 'dark' } })
  await trackEvent(ctx, { userId: 'sara', eventName: 'AddToCart', eventData: { sku: 'A-17' } })
  await trackPurchase(ctx, { userId: 'sara', eventName: 'Order', revenue: 12.5, currency: 'EUR' })
  const own = await send(ctx, 'sara')
  const shared = await send(ctx, 'sara', 'omid')
  const { id: group } = await sendByQuery(ctx, { target: {}, content: 'to everybody' })
  for (const message of [own, shared, group]) await open(ctx, installation, message)
  await replace(ctx, undefined, 'CODE-1\nCODE-2\n')
  await take(ctx, [await userNoOf(ctx, 'sara')], { messageId: own })
  return { installation, own, shared, group }
}

/** Every row of an app, in whatever table: what was deleted must not be found among them. */
async function dump(ctx: Context): Promise<Record<string, unknown>[]> {
  const tables = await store.query<{ name: string }>(sql`
    select relname as name from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace = current_schema()::regnamespace order by 1`)
  const found: Record<string, unknown>[] = []
  for (const { name } of tables) {
    const rows = await store.query<{ row: Record<string, unknown> }>(
      raw(`select to_jsonb(t) as row from ${name} t where (to_jsonb(t)->>'app_id')::int = ${ctx.app.id}`),
    )
    found.push(...rows.map(({ row }) => ({ table: name, ...row })))
  }
  return found
}

const mentioning = (rows: Record<string, unknown>[], text: string) =>
  rows.filter((row) => JSON.stringify(row).includes(text))

async function expectSound() {
  expect(await findBroken(store)).toEqual([])
}

const countersOf = async (ctx: Context, installationId: string) => {
  const rows = await store.query<{ event_key: string; count: number; value_sum: number | null }>(sql`
    select event_key, count, value_sum from event_counters
    where app_id = ${ctx.app.id} and installation_no = ${await numberOf(ctx, installationId)} order by event_key`)
  return Object.fromEntries(rows.map((row) => [row.event_key, [row.count, row.value_sum]]))
}

describe('exporting a user', () => {
  it('answers with everything that is kept', async () => {
    const ctx = await createApp()
    await register(ctx, 'omid')
    const sara = await createSara(ctx)
    const exported = await readExport(ctx, { userId: 'sara' })
    expect(exported).toMatchObject({
      user: { userId: 'sara', isGuest: false, createdAt: expect.any(Number) },
      tags: [{ tag: 'city', value: 'tehran' }, { tag: 'vip' }],
      attributes: { firstName: 'Sara' },
      installations: [
        { id: sara.installation, deviceToken: 'sara-token', deviceModel: 'Phone 9', userInfo: { theme: 'dark' } },
      ],
      uninstalls: [],
      events: [
        { eventName: 'AddToCart', installationId: sara.installation, eventData: { sku: 'A-17' } },
        { eventName: 'Order', revenue: 12.5, currency: 'EUR', eventTime: expect.any(Number) },
      ],
      eventCounters: [
        { event: 'addtocart', count: 1 },
        { event: 'order', count: 1, sum: 12.5 },
        { event: 'purchase', count: 1, lastValue: 12.5 },
      ],
      messages: [
        { id: sara.own, user: 'sara', content: 'to sara' },
        { id: sara.shared, userCount: 2 },
        { id: sara.group, content: 'to everybody' },
      ],
      deliveries: [sara.own, sara.shared, sara.group].map((messageId) => ({
        messageId,
        installationId: sara.installation,
        state: 'opened',
        provider: 'fcm',
      })),
      receipts: [sara.own, sara.shared, sara.group].map((messageId) => ({ messageId, kind: 'opened' })),
      promoCodes: [{ code: 'CODE-1', messageId: sara.own }],
    })
    expect(JSON.stringify(exported.messages[1])).not.toContain('"user":')
    expect(() => JSON.stringify(exported)).not.toThrow()
  })

  it('has what a user was sent on a device that is somebody else’s now, and not what the user before was sent', async () => {
    const ctx = await createApp()
    const id = await register(ctx, 'sara')
    const { id: group } = await sendByQuery(ctx, { target: { userId: 'sara' }, content: 'for sara' })
    await open(ctx, id, group)
    await logIn(ctx, id, 'omid')
    const { id: own } = await sendByQuery(ctx, { target: {}, content: 'for omid' })
    await open(ctx, id, own)
    for (const [userId, messageId] of [
      ['sara', group],
      ['omid', own],
    ] as const) {
      expect(await readExport(ctx, { userId })).toMatchObject({
        messages: [{ id: messageId }],
        deliveries: [{ messageId, installationId: id }],
        receipts: [{ messageId, installationId: id }],
      })
    }
  })

  it('makes a few at a time, and sends away who comes when many wait', async () => {
    const ctx = await createTestApp(store)
    await registerInstallation(ctx, { userId: 'sara', deviceType: 'android' })
    let running = 0
    let most = 0
    const counting: Context = {
      ...ctx,
      store: {
        ...store,
        transaction: async (work) => {
          most = Math.max(most, ++running)
          return store.transaction(work).finally(() => running--)
        },
      },
    }
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => readExport(counting, { userId: 'sara' })))
    expect(most).toBe(2)
    const refused = all.flatMap((each) => (each.status === 'rejected' ? [each.reason.status] : []))
    expect(refused).toEqual(Array.from({ length: 10 }, () => 429))
  })

  it('does not let one app take the turns of another', async () => {
    const [busy, other] = [await createTestApp(store), await createTestApp(store)]
    for (const app of [busy, other]) await registerInstallation(app, { userId: 'sara', deviceType: 'android' })
    let end: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      end = resolve
    })
    const slow: Context = {
      ...busy,
      store: { ...store, transaction: (work) => held.then(() => store.transaction(work)) },
    }
    const waiting = Array.from({ length: 10 }, () => readExport(slow, { userId: 'sara' }))
    await expect(readExport(slow, { userId: 'sara' })).rejects.toMatchObject({ status: 429 })
    expect(await readExport(other, { userId: 'sara' })).toMatchObject({ user: { userId: 'sara' } })
    end()
    expect(await Promise.all(waiting)).toHaveLength(10)
  })

  it('leaves out what is not there', async () => {
    const ctx = await createApp()
    await addTags(ctx, { userId: 'nobody-yet', tags: ['lead'] })
    await trackEvent(ctx, { userId: 'nobody-yet', eventName: 'Seen' })
    const exported = await readExport(ctx, { userId: 'nobody-yet' })
    expect(exported.tags).toEqual([{ tag: 'lead' }])
    expect(exported.events).toEqual([{ id: expect.any(String), eventName: 'Seen', eventTime: expect.any(Number) }])
    expect(exported.eventCounters).toEqual([
      { event: 'seen', count: 1, firstTime: expect.any(Number), lastTime: expect.any(Number) },
    ])
  })

  it('knows users who only were written to', async () => {
    const ctx = await createApp()
    const id = await send(ctx, 'never-came')
    const exported = await readExport(ctx, { userId: 'never-came' })
    expect(exported.user).toEqual({ userId: 'never-came' })
    expect(exported.messages).toMatchObject([{ id, user: 'never-came' }])
    expect(exported.promoCodes).toEqual([])
  })

  it('shows uninstalls', async () => {
    const ctx = await createApp()
    const id = await register(ctx, 'sara')
    await unregisterInstallation(ctx, { id })
    const exported = await readExport(ctx, { userId: 'sara' })
    expect(exported.uninstalls).toEqual([{ time: expect.any(Number), installationId: id, deviceType: 'android' }])
  })

  it('shows when push tokens ended, and deletes that too', async () => {
    const ctx = await createApp()
    const installationId = await register(ctx, 'sara', { deviceToken: 'first' })
    await updateInstallation(ctx, { id: installationId, body: { deviceToken: 'second' } })
    const times = { givenAt: expect.any(Number), endedAt: expect.any(Number) }
    expect((await readExport(ctx, { userId: 'sara' })).pastTokens).toEqual([
      { installationId, reason: 'renewed', ...times },
    ])
    await deleteUser(ctx, { userId: 'sara' })
    expect(await store.query(sql`select from past_tokens where app_id = ${ctx.app.id}`)).toEqual([])
  })

  it('does not know users of other apps, unknown ones and impossible ones', async () => {
    const [mine, other] = [await createApp(), await createApp()]
    await register(other, 'sara')
    for (const userId of ['sara', 'none', '', 'a\0b', 'x'.repeat(5_000)]) {
      await expect(readExport(mine, { userId })).rejects.toMatchObject({ code: 'not-found', status: 404 })
      await expect(deleteUser(mine, { userId })).rejects.toMatchObject({ code: 'not-found', status: 404 })
    }
  })
})

describe('deleting a user', () => {
  it('removes everything, and says how much', async () => {
    const ctx = await createApp()
    await register(ctx, 'omid')
    const sara = await createSara(ctx)
    await unregisterInstallation(ctx, { id: await register(ctx, 'sara') })
    const userNo = await userNoOf(ctx, 'sara')
    const installationNo = await numberOf(ctx, sara.installation)
    expect(await deleteUser(ctx, { userId: 'sara' })).toEqual({
      userId: 'sara',
      users: 1,
      installations: 2,
      tags: 2,
      attributes: 2,
      uninstalls: 1,
      events: 2,
      messages: 1,
      deliveries: 3,
      receipts: 3,
      promoCodes: 1,
    })
    const left = await dump(ctx)
    for (const trace of ['Sara', 'Phone 9', 'sara-token', sara.installation, sara.own])
      expect(mentioning(left, trace)).toEqual([])
    expect(mentioning(left, 'sara').map((row) => row.id)).toEqual([sara.shared])
    // The marks say by numbers, which lead nowhere now, who was deleted.
    for (const row of left.filter(({ table }) => !String(table).startsWith('forgotten_'))) {
      expect([row.user_no, row.login_user_no]).not.toContain(userNo)
      expect(row.installation_no).not.toBe(installationNo)
    }
    await expect(readExport(ctx, { userId: 'sara' })).rejects.toMatchObject({ code: 'not-found' })
    await expect(deleteUser(ctx, { userId: 'sara' })).rejects.toMatchObject({ code: 'not-found' })
    await expectSound()
  })

  it('leaves others what is theirs: messages to both, groups, and the same ids in another app', async () => {
    const [ctx, other] = [await createApp(), await createApp()]
    const omid = await register(ctx, 'omid')
    const sara = await createSara(ctx)
    await createSara(other)
    for (const message of [sara.shared, sara.group]) await open(ctx, omid, message)
    const before = await readExport(other, { userId: 'sara' })
    await deleteUser(ctx, { userId: 'sara' })
    const exported = await readExport(ctx, { userId: 'omid' })
    expect(exported.messages.map(({ id }: { id: string }) => id)).toEqual([sara.shared, sara.group])
    expect(exported.messages[0]).toMatchObject({ user: 'omid' })
    expect(exported.deliveries).toHaveLength(2)
    expect(exported.receipts).toHaveLength(2)
    expect(await readExport(other, { userId: 'sara' })).toEqual(before)
    await expectSound()
  })

  it('keeps promo codes used: nobody else gets them', async () => {
    const ctx = await createApp()
    await createSara(ctx)
    const again = await take(ctx, [await userNoOf(ctx, 'sara')], { messageId: timeOrderedId(ctx.now()) })
    expect(again).toEqual(['CODE-2'])
    expect(await deleteUser(ctx, { userId: 'sara' })).toMatchObject({ promoCodes: 2 })
    const given = await store.query<{ code: string; user_no: number }>(sql`
      select code, user_no from promo_given where app_id = ${ctx.app.id} order by code`)
    expect(given).toEqual([
      { code: 'CODE-1', user_no: 0 },
      { code: 'CODE-2', user_no: 0 },
    ])
    expect(await replace(ctx, undefined, 'CODE-1\nCODE-2\nCODE-3\n')).toMatchObject({ alreadyUsed: 2 })
    expect(await take(ctx, [1, 2])).toEqual(['CODE-3', undefined])
  })

  it('takes the user’s installations out of work that is still queued', async () => {
    const ctx = await createApp()
    const omid = await register(ctx, 'omid')
    await register(ctx, 'sara')
    const shared = await send(ctx, 'sara', 'omid')
    const own = await send(ctx, 'sara')
    await deleteUser(ctx, { userId: 'sara' })
    const batches = await store.query<{ message_id: string; installation_nos: string[] }>(sql`
      select message_id, installation_nos from delivery_batches where app_id = ${ctx.app.id}`)
    expect(batches).toEqual([{ message_id: shared, installation_nos: [String(await numberOf(ctx, omid))] }])
    expect(batches.some((batch) => batch.message_id === own)).toBe(false)
  })

  it('removes messages to users who never came', async () => {
    const ctx = await createApp()
    await send(ctx, 'never-came')
    expect(await deleteUser(ctx, { userId: 'never-came' })).toMatchObject({ users: 0, messages: 1, promoCodes: 0 })
    await expect(readExport(ctx, { userId: 'never-came' })).rejects.toMatchObject({ code: 'not-found' })
    await expectSound()
  })

  it('removes users without an installation', async () => {
    const ctx = await createApp()
    await addTags(ctx, { userId: 'lead', tags: ['a', 'b'] })
    await trackEvent(ctx, { userId: 'lead', eventName: 'Seen' })
    expect(await deleteUser(ctx, { userId: 'lead' })).toMatchObject({ users: 1, tags: 2, events: 1 })
    await expectSound()
  })

  it('removes guests who are known from the same installation only', async () => {
    const ctx = await createApp()
    const { id, userId: guest } = await registerInstallation(ctx, { deviceType: 'web' })
    await trackEvent(ctx, { installationId: id, eventName: 'Landed' })
    await addTags(ctx, { userId: guest, tags: ['visitor'] })
    await logIn(ctx, id, 'sara')
    await trackEvent(ctx, { installationId: id, eventName: 'Landed' })
    expect(await deleteUser(ctx, { userId: 'sara' })).toMatchObject({ users: 2, events: 2, tags: 1 })
    expect(mentioning(await dump(ctx), guest)).toEqual([])
    await expectSound()
  })

  it('leaves an installation that is somebody else’s now, without what the user did on it', async () => {
    const ctx = await createApp()
    const id = await register(ctx, 'sara')
    await trackPurchase(ctx, { userId: 'sara', eventName: 'Order', revenue: 10 })
    await trackEvent(ctx, { userId: 'sara', eventName: 'Seen', eventData: { value: 5 } })
    await trackEvent(ctx, { userId: 'sara', eventName: 'OnlySara' })
    await logIn(ctx, id, 'omid')
    await trackPurchase(ctx, { userId: 'omid', eventName: 'ORDER', revenue: 3 })
    await trackEvent(ctx, { userId: 'omid', eventName: 'seen', eventData: { value: 7 } })
    await trackEvent(ctx, { userId: 'omid', eventName: 'OnlyOmid' })
    expect(await countersOf(ctx, id)).toMatchObject({ order: [2, 13], seen: [2, 12], purchase: [2, 13] })
    expect(await deleteUser(ctx, { userId: 'sara' })).toMatchObject({ installations: 0, events: 3 })
    expect(await countersOf(ctx, id)).toEqual({ onlyomid: [1, null], order: [1, 3], purchase: [1, 3], seen: [1, 7] })
    await expectSound()
  })

  it('forgets that the user was logged in on an installation that is a guest’s now', async () => {
    const ctx = await createApp()
    const id = await register(ctx, 'sara')
    await updateInstallation(ctx, { id, body: { isGuest: true } })
    expect(await deleteUser(ctx, { userId: 'sara' })).toMatchObject({ installations: 0 })
    const [row] = await store.query<{ login_user_no: number | null }>(sql`
      select login_user_no from installations where app_id = ${ctx.app.id} and id = ${id}`)
    expect(row).toEqual({ login_user_no: null })
    await expectSound()
  })

  it('leaves others what they did on an installation of the user', async () => {
    const ctx = await createApp()
    const id = await register(ctx, 'omid')
    await trackPurchase(ctx, { userId: 'omid', eventName: 'Order', revenue: 3 })
    await trackEvent(ctx, { userId: 'omid', eventName: 'Purchase' })
    await logIn(ctx, id, 'sara')
    await deleteUser(ctx, { userId: 'sara' })
    const exported = await readExport(ctx, { userId: 'omid' })
    expect(exported.installations).toEqual([])
    expect(exported.events.map(({ eventName }: { eventName: string }) => eventName)).toEqual(['Order', 'Purchase'])
    expect(exported.eventCounters).toMatchObject([
      { event: 'order', count: 1, sum: 3 },
      { event: 'purchase', count: 1 },
    ])
    await expectSound()
    const next = await register(ctx, 'omid')
    await adoptUserEvents({ store, log: ctx.log })
    expect(await countersOf(ctx, next)).toEqual({ order: [1, 3], purchase: [1, 3] })
    await expectSound()
  })

  it('lets the user come back as a new one', async () => {
    const ctx = await createApp()
    await createSara(ctx)
    const before = await userNoOf(ctx, 'sara')
    await deleteUser(ctx, { userId: 'sara' })
    await register(ctx, 'sara')
    expect(await userNoOf(ctx, 'sara')).not.toBe(before)
    expect(await readExport(ctx, { userId: 'sara' })).toMatchObject({
      tags: [],
      attributes: {},
      events: [],
      messages: [],
    })
  })

  it('leaves everything as it was when its first half does not come to its end', async () => {
    const ctx = await createApp()
    await createSara(ctx)
    const before = await readExport(ctx, { userId: 'sara' })
    const failing: typeof store = {
      ...store,
      transaction: (work) =>
        store.transaction(async (tx) => {
          await work(tx)
          throw new Error('undone')
        }),
    }
    await expect(deleteUser({ ...ctx, store: failing }, { userId: 'sara' })).rejects.toThrow('undone')
    expect(await readExport(ctx, { userId: 'sara' })).toEqual(before)
  })

  it('happens once when it is asked for many times, while the user goes on logging in', async () => {
    const ctx = await createApp()
    const ids = await Promise.all(Array.from({ length: 5 }, () => register(ctx, 'sara')))
    const calls = Array.from({ length: 4 }, () => deleteUser(ctx, { userId: 'sara' }))
    const logins = ids.map((id) => updateInstallation(ctx, { id, body: { launchCount: 9, userId: 'sara' } }))
    const answers = await Promise.allSettled([...calls, ...logins])
    for (const answer of answers)
      if (answer.status === 'rejected')
        expect(String(answer.reason)).toMatch(
          /There is no (user|installation)|The user was deleted while this request was on its way/,
        )
    await expectSound()
  })
})
