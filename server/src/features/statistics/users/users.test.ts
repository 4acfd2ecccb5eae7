import { randomUUID } from 'node:crypto'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { advanceDeliveries } from '../../deliveries/progress/advance-deliveries.ts'
import { trackEvent } from '../../events/track/track-event.ts'
import { trackPurchase } from '../../events/track/track-purchase.ts'
import { setAttributes } from '../../installations/attributes/set-attributes.ts'
import { detachTokens } from '../../installations/device-tokens/detach-tokens.ts'
import { registerInstallation } from '../../installations/register/register-installation.ts'
import { updateDeviceToken } from '../../installations/register/update-device-token.ts'
import { updateInstallation } from '../../installations/register/update-installation.ts'
import { addTags } from '../../installations/tags/add-tags.ts'
import { addValueTag } from '../../installations/tags/add-value-tag.ts'
import { unregisterInstallation } from '../../installations/uninstalls/unregister-installation.ts'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { sendToUsers } from '../../messages/send/send-to-users.ts'
import { replace, take } from '../../promo/promo.test-support.ts'
import { createSegment } from '../../segments/saved/create-segment.ts'
import { getSegmentDetail } from '../segments/get-segment-detail.ts'
import { findUsers } from './find-users.ts'
import { getUserProfile } from './get-user-profile.ts'
import { listUserCodes } from './list-user-codes.ts'
import { listUserMessages } from './list-user-messages.ts'

const store = await createTestStore()

const register = async (ctx: Context, userId: string, more: Record<string, unknown> = {}) => {
  const { id } = await registerInstallation(ctx, { userId, isGuest: false, deviceType: 'android', ...more })
  return id as string
}

async function numberOf(ctx: Context, id: string): Promise<number> {
  const [row] = await store.query<{ installation_no: number }>(
    sql`select installation_no from installations where app_id = ${ctx.app.id} and id = ${id}`,
  )
  return row?.installation_no as number
}

describe('users are found', () => {
  const search = async (ctx: Context, text: string) =>
    (await findUsers(ctx, { search: text })).data.map(({ userId, foundBy }) => `${userId} by ${foundBy}`)

  it('by the beginning of their id, by an installation, by a tag and by its value', async () => {
    const [ctx, other] = [await createTestApp(store), await createTestApp(store)]
    const phone = await register(ctx, 'sara')
    await register(ctx, 'saba')
    await register(ctx, 'omid')
    await register(other, 'sam')
    await addTags(ctx, { userId: 'omid', tags: ['saver', 'a=b'] })
    await addValueTag(ctx, { userId: 'sara', tag: 'city', value: 'tehran' })
    expect(await search(ctx, 'sa')).toEqual(['saba by userId', 'sara by userId'])
    expect(await search(ctx, ' saver ')).toEqual(['omid by tag'])
    expect(await search(ctx, 'tag:saver')).toEqual(['omid by tag'])
    expect(await search(ctx, 'a=b')).toEqual(['omid by tag'])
    expect(await search(ctx, 'city')).toEqual(['sara by tag'])
    expect(await search(ctx, 'city=tehran')).toEqual(['sara by tag'])
    expect(await search(ctx, 'city=shiraz')).toEqual([])
    expect(await search(ctx, phone)).toEqual(['sara by installationId'])
    expect(await search(other, phone)).toEqual([])
    expect(await search(ctx, randomUUID())).toEqual([])
    expect(await search(ctx, '%')).toEqual([])
  })

  it('by their last visit when nothing is asked', async () => {
    let at = new Date('2026-11-15T10:00:00Z')
    const ctx = await createTestApp(store, { at: () => at })
    await register(ctx, 'sara')
    at = new Date('2026-11-15T11:00:00Z')
    await register(ctx, 'omid', { deviceType: 'ios' })
    await addTags(ctx, { userId: 'omid', tags: ['f', 'e', 'd', 'c', 'b', 'a'] })
    const { data } = await findUsers(ctx, {})
    expect(data.map(({ userId }) => userId)).toEqual(['omid', 'sara'])
    expect(data[0]).toMatchObject({
      isGuest: false,
      lastVisitAt: at.getTime(),
      deviceTypes: ['ios'],
      installations: 1,
      tags: ['a', 'b', 'c', 'd', 'e'].map((tag) => ({ tag })),
      foundBy: 'recent',
    })
  })

  it('once, and fifty at most', async () => {
    const ctx = await createTestApp(store)
    for (let index = 0; index < 60; index++) await addTags(ctx, { userId: `user${index}`, tags: ['user'] })
    const { data } = await findUsers(ctx, { search: 'user' })
    expect(new Set(data.map(({ userId }) => userId)).size).toBe(50)
    expect(data).toHaveLength(50)
  })
})

describe('a profile', () => {
  it('has devices, tags, attributes and revenue, and never a push token', async () => {
    const ctx = await createTestApp(store)
    const phone = await register(ctx, 'sara', {
      deviceToken: 'secret-token',
      deviceModel: 'Pixel 9',
      clientVersion: '2.4.1',
      subscriptions: ['public/news', 'orders'],
    })
    await addTags(ctx, { userId: 'sara', tags: ['vip'] })
    await addValueTag(ctx, { userId: 'sara', tag: 'city', value: 'tehran' })
    await setAttributes(ctx, { userId: 'omid', attributes: { age: 5 } })
    await setAttributes(ctx, { userId: 'sara', attributes: { age: 'old', name: 'Sara' } })
    await setAttributes(ctx, { installationId: phone, attributes: { theme: 'dark' } })
    await trackEvent(ctx, { userId: 'sara', eventName: 'Open' })
    await trackPurchase(ctx, { userId: 'sara', eventName: 'Order', revenue: 12.5, currency: 'eur' })
    await trackPurchase(ctx, { userId: 'sara', eventName: 'Order', revenue: 7.5, currency: 'EUR' })
    const profile = await getUserProfile(ctx, { userId: 'sara' })
    expect(profile).toMatchObject({
      userId: 'sara',
      isGuest: false,
      tags: [{ tag: 'city', value: 'tehran' }, { tag: 'vip' }],
      attributes: [
        { name: 'age', kind: 'text', value: 'old', isInSegments: false },
        { name: 'name', kind: 'text', value: 'Sara', isInSegments: true },
      ],
      devices: [
        {
          id: phone,
          deviceType: 'android',
          model: 'Pixel 9',
          clientVersion: '2.4.1',
          channels: ['default', 'news', 'private/orders'],
          isSignedIn: true,
          token: { isThere: true, past: [] },
          attributes: { theme: 'dark' },
        },
      ],
      revenue: { currencies: [{ currency: 'EUR', revenue: 20, purchases: 2 }], isPartial: false },
    })
    expect(JSON.stringify(profile)).not.toContain('secret-token')
    expect(profile.devices[0]).not.toHaveProperty('connection')
  })

  it('says who is connected, and since when', async () => {
    const ctx = await createTestApp(store)
    const phone = await register(ctx, 'sara')
    const holder = randomUUID()
    await store.query(sql`insert into connection_holders values (${holder}, now() + interval '1 minute')`)
    await store.query(sql`
      insert into connections (app_id, installation_no, holder, connection_id)
      values (${ctx.app.id}, ${await numberOf(ctx, phone)}, ${holder}, ${randomUUID()})`)
    const { devices } = await getUserProfile(ctx, { userId: 'sara' })
    expect(devices[0]?.connection).toEqual({ since: expect.any(Number), isOpen: true })
  })

  it('is there for somebody who only was written to, and for nobody else', async () => {
    const [ctx, other] = [await createTestApp(store), await createTestApp(store)]
    await sendToUsers(ctx, { user: 'sara', content: 'Hello' })
    expect(await getUserProfile(ctx, { userId: 'sara' })).toMatchObject({ userId: 'sara', devices: [] })
    for (const verb of [getUserProfile, listUserMessages, listUserCodes]) {
      await expect(verb(other, { userId: 'sara' })).rejects.toMatchObject({ status: 404 })
      await expect(verb(ctx, { userId: 'nul\0' })).rejects.toMatchObject({ status: 404 })
    }
  })
})

describe('the history of a token', () => {
  const everLater = () => {
    let time = Date.parse('2026-11-15T10:00:00Z')
    return () => {
      time += 1_000
      return new Date(time)
    }
  }
  const reasons = async (ctx: Context, userId: string) =>
    (await getUserProfile(ctx, { userId })).devices.map(({ token }) => token.past.map(({ reason }) => reason))

  it('says why each of them ended', async () => {
    const ctx = await createTestApp(store, { at: everLater() })
    const phone = await register(ctx, 'sara', { deviceToken: 'a' })
    await updateDeviceToken(ctx, { installationId: phone, deviceToken: 'b' })
    await updateInstallation(ctx, { id: phone, body: { deviceToken: 'disabled' } })
    await updateDeviceToken(ctx, { installationId: phone, deviceToken: 'c' })
    await register(ctx, 'omid', { deviceToken: 'c' })
    await updateDeviceToken(ctx, { installationId: phone, deviceToken: 'd' })
    await detachTokens(ctx, { tokens: [{ installationNo: await numberOf(ctx, phone), token: 'd' }] })
    await updateDeviceToken(ctx, { installationId: phone, deviceToken: 'e' })
    await unregisterInstallation(ctx, { id: phone })
    expect(await reasons(ctx, 'sara')).toEqual([['gone', 'foreign', 'taken', 'withdrawn', 'renewed']])
    expect(await reasons(ctx, 'omid')).toEqual([[]])
    const { devices } = await getUserProfile(ctx, { userId: 'sara' })
    for (const { givenAt, endedAt } of devices[0]?.token.past ?? []) expect(givenAt).toBeLessThan(endedAt)
  })

  it('keeps the last twenty', async () => {
    const ctx = await createTestApp(store, { at: everLater() })
    const phone = await register(ctx, 'sara', { deviceToken: 'token' })
    for (let index = 0; index < 25; index++)
      await updateDeviceToken(ctx, { installationId: phone, deviceToken: `token ${index}` })
    const { devices } = await getUserProfile(ctx, { userId: 'sara' })
    const ends = devices[0]?.token.past.map(({ endedAt }) => endedAt) ?? []
    expect(ends).toHaveLength(20)
    expect(ends[0]).toBe(devices[0]?.token.changedAt)
  })
})

describe('the messages of a user', () => {
  const settle = async (ctx: Context, phone: string, messageId: string, state: 'sent' | 'delivered') => {
    const step = { appId: ctx.app.id, messageId, installationNo: await numberOf(ctx, phone), state, at: ctx.now() }
    await store.transaction((tx) => advanceDeliveries(tx, [{ ...step, provider: 'fcm' }]))
  }
  const send = async (ctx: Context, user: string, content: string) =>
    ((await sendToUsers(ctx, { user, content })) as { id: string }).id

  it('are those to the user and those to groups that reached a device, newest first', async () => {
    const ctx = await createTestApp(store)
    const phone = await register(ctx, 'sara')
    const own = await send(ctx, 'sara', 'Own')
    await send(ctx, 'omid', 'Of another')
    const { id: group } = await sendByQuery(ctx, { target: {}, content: 'Group', trackId: 'sale' })
    await sendByQuery(ctx, { target: { deviceType: 'ios' }, content: 'Not for sara' })
    await settle(ctx, phone, own, 'sent')
    await settle(ctx, phone, group, 'delivered')
    const { data, cursor } = await listUserMessages(ctx, { userId: 'sara' })
    expect(cursor).toBeUndefined()
    expect(data.map(({ text }) => text)).toEqual(['Group', 'Own'])
    expect(data[0]).toMatchObject({
      id: group,
      audience: 'query',
      trackId: 'sale',
      deliveries: [{ installationId: phone, deviceType: 'android', state: 'delivered', provider: 'fcm' }],
    })
    expect(data[1]).toMatchObject({ id: own, audience: 'users', isWaiting: true })
  })

  it('are of the user for whom they were decided, whoever has the device now', async () => {
    const ctx = await createTestApp(store)
    const phone = await register(ctx, 'sara')
    const group = await sendByQuery(ctx, { target: {}, content: 'To sara' })
    await settle(ctx, phone, group.id, 'sent')
    await updateInstallation(ctx, { id: phone, body: { userId: 'omid', isGuest: false } })
    const own = await sendByQuery(ctx, { target: {}, content: 'To omid' })
    await settle(ctx, phone, own.id, 'sent')
    for (const [userId, id] of [
      ['sara', group.id],
      ['omid', own.id],
    ] as const) {
      const { data } = await listUserMessages(ctx, { userId })
      expect(data).toMatchObject([{ id, deliveries: [{ installationId: phone, state: 'sent' }] }])
    }
  })

  it('say which channel they were for, unless everybody is on it', async () => {
    const ctx = await createTestApp(store)
    const phone = await register(ctx, 'sara', { subscriptions: ['public/news'] })
    for (const channel of ['news', '']) {
      const { id } = (await sendToUsers(ctx, { user: '*', channel, content: `on ${channel}` })) as { id: string }
      await settle(ctx, phone, id, 'sent')
    }
    const { data } = await listUserMessages(ctx, { userId: 'sara' })
    expect(data.map(({ audience, channel }) => [audience, channel])).toEqual([
      ['public', undefined],
      ['public', 'public/news'],
    ])
  })

  it('are paged without losing or repeating one', async () => {
    const ctx = await createTestApp(store)
    const phone = await register(ctx, 'sara')
    const sent: string[] = []
    for (let index = 0; index < 40; index++) {
      const id = await send(ctx, 'sara', `own ${index}`)
      sent.push(id)
      const group = await sendByQuery(ctx, { target: {}, content: `group ${index}` })
      if (index % 3 > 0) continue
      await settle(ctx, phone, group.id, 'sent')
      sent.push(group.id)
    }
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await listUserMessages(ctx, { userId: 'sara', cursor })
      seen.push(...page.data.map(({ id }) => id))
      cursor = page.cursor
    } while (cursor !== undefined)
    expect(seen).toEqual(sent.toSorted().toReversed())
    await expect(listUserMessages(ctx, { userId: 'sara', cursor: 'x' })).rejects.toMatchObject({ status: 400 })
  })
})

it('the codes of a user are the user’s alone, with their campaign', async () => {
  const ctx = await createTestApp(store)
  await register(ctx, 'sara')
  await register(ctx, 'omid')
  const { id: messageId } = (await sendToUsers(ctx, { users: ['sara', 'omid'], content: 'Yours' })) as { id: string }
  await replace(ctx, undefined, 'CODE-1\nCODE-2\n')
  const users = await store.query<{ user_no: number }>(
    sql`select user_no from users where app_id = ${ctx.app.id} and user_id = 'sara'`,
  )
  await take(
    ctx,
    users.map((user) => user.user_no),
    { messageId },
  )
  expect(await listUserCodes(ctx, { userId: 'sara' })).toEqual({
    data: [{ code: 'CODE-1', messageId, givenAt: expect.any(Number) }],
  })
  expect(await listUserCodes(ctx, { userId: 'omid' })).toEqual({ data: [] })
})

describe('a saved segment', () => {
  it('knows the messages that went to it, also by its name', async () => {
    const [ctx, other] = [await createTestApp(store), await createTestApp(store)]
    await register(ctx, 'sara')
    const segment = { all: [{ name: 'deviceType', operator: 'equal_to', value: 'android' }] }
    const { id } = await createSegment(ctx, { name: 'android', segment })
    const { id: byId } = await sendByQuery(ctx, { target: id, content: 'By id', trackId: 'sale' })
    const { id: byName } = await sendByQuery(ctx, { target: 'android', content: 'By name' })
    await sendByQuery(ctx, { segment, content: 'The same rules' })
    const detail = await getSegmentDetail(ctx, { id })
    expect(detail).toMatchObject({ id, name: 'android', segment, sizes: [{ count: 1 }] })
    expect(detail.uses.data).toMatchObject([
      { id: byName, text: 'By name', count: 1 },
      { id: byId, text: 'By id', count: 1, trackId: 'sale' },
    ])
    await expect(getSegmentDetail(other, { id })).rejects.toMatchObject({ status: 404 })
  })

  it('shows twenty of them at a time', async () => {
    const ctx = await createTestApp(store)
    await register(ctx, 'sara')
    const { id } = await createSegment(ctx, {
      name: 'android',
      segment: { all: [{ name: 'deviceType', operator: 'equal_to', value: 'android' }] },
    })
    for (let index = 0; index < 23; index++) await sendByQuery(ctx, { target: id, content: `${index}` })
    const first = await getSegmentDetail(ctx, { id })
    const second = await getSegmentDetail(ctx, { id, cursor: first.uses.cursor })
    expect([first.uses.data.length, second.uses.data.length]).toEqual([20, 3])
    expect(second.uses).not.toHaveProperty('cursor')
    await expect(getSegmentDetail(ctx, { id, cursor: 'x' })).rejects.toMatchObject({ status: 400 })
  })
})
