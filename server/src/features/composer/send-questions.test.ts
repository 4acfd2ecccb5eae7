import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { describe, expect, it } from 'vitest'
import { addDevice, setUserAttribute, tokens } from '../deliveries/dry-run/preview.test-support.ts'
import { setAttributes } from '../installations/attributes/set-attributes.ts'
import { sendByQuery } from '../messages/send/send-by-query.ts'
import { sendToUsers } from '../messages/send/send-to-users.ts'
import { createCampaign, replace, take } from '../promo/promo.test-support.ts'
import { createSegment } from '../segments/saved/create-segment.ts'
import { countReceivers } from './count-receivers.ts'
import { findPeople } from './find-people.ts'
import { getCodesLeft } from './get-codes-left.ts'
import { getSamplePerson } from './get-sample-person.ts'
import { planSend } from './plan-send.ts'
import { renderMessage } from './render-message.ts'

const store = await createTestStore()

async function createShop() {
  const ctx = await createTestApp(store)
  await addDevice(ctx, 'sara', { subscriptions: ['public/news'] })
  await addDevice(ctx, 'sara', { deviceType: 'ios' })
  await addDevice(ctx, 'omid', { deviceType: 'web' })
  await setAttributes(ctx, { userId: 'nodevice', attributes: { age: 3 } })
  return ctx
}

describe('the count of receivers', () => {
  it('is what the send answers, for every kind of audience', async () => {
    const ctx = await createShop()
    const { id } = await createSegment(ctx, {
      name: 'apple',
      segment: { all: [{ name: 'deviceType', operator: 'equal_to', value: 'ios' }] },
    })
    const segment = { any: ['ios', 'web'].map((value) => ({ name: 'deviceType', operator: 'equal_to', value })) }
    for (const sent of [{ target: {} }, { target: id }, { target: 'apple' }, { segment }, { target: {}, live: true }]) {
      const { count } = await countReceivers(ctx, { product: 'message', ...sent })
      expect(await sendByQuery(ctx, { ...sent, content: 'x' })).toMatchObject({ count })
    }
    for (const sent of [{ user: '*' }, { user: '*', channel: 'news' }, { user: 'sara' }, { users: ['sara', 'x'] }]) {
      const { count } = await countReceivers(ctx, { product: 'message', ...sent })
      expect(await sendToUsers(ctx, { ...sent, content: 'x' })).toMatchObject({ count })
    }
  })

  it('counts users beside installations, and names who is unknown or not reached', async () => {
    const ctx = await createShop()
    expect(await countReceivers(ctx, { product: 'message', target: {} })).toMatchObject({ count: 3, users: 2 })
    const users = ['sara', 'omid', 'nodevice', 'nobody', 'nobody']
    expect(await countReceivers(ctx, { product: 'message', users })).toEqual({
      count: 3,
      users: 2,
      unknown: { count: 1, first: ['nobody'] },
      unreached: { count: 1, first: ['nodevice'] },
    })
    expect(await countReceivers(ctx, { product: 'message', users, channel: 'news' })).toMatchObject({
      count: 1,
      unreached: { first: ['omid', 'nodevice'] },
    })
    expect(await countReceivers(ctx, { product: 'notification', users, channel: 'news' })).toMatchObject({ count: 3 })
    expect(await countReceivers(ctx, { product: 'message', users, live: true })).toMatchObject({ count: 0 })
  })

  it('says what is unusual, by the group sends of the last 30 days', async () => {
    const now = new Date()
    let at = new Date(now.getTime() - 31 * 86_400_000)
    const ctx = await createTestApp(store, { at: () => at })
    for (let index = 0; index < 110; index++) await addDevice(ctx, `u${index}`)
    await sendByQuery(ctx, { target: { deviceType: 'android' }, content: 'x' })
    at = now
    const android = { product: 'message', target: { deviceType: 'android' } } as const
    expect((await countReceivers(ctx, android)).unusual).toEqual({ largest: 0, isEverybody: false })
    expect((await planSend(ctx, { ...android, content: 'x' })).unusual).toEqual({ largest: 0, isEverybody: false })
    await sendByQuery(ctx, { target: { deviceType: 'android' }, content: 'x' })
    expect((await countReceivers(ctx, android)).unusual).toBeUndefined()
    expect((await planSend(ctx, { ...android, content: 'x' })).unusual).toBeUndefined()
    expect((await countReceivers(ctx, { product: 'message', user: '*' })).unusual).toEqual({
      largest: 110,
      isEverybody: true,
    })
  })

  it('is told with the dry run for users whom it does not reach', async () => {
    const ctx = await createShop()
    const users = ['sara', 'nodevice', 'nobody']
    expect(await planSend(ctx, { product: 'message', users, content: 'x' })).toMatchObject({
      dryRun: { count: 2 },
      unknown: { count: 1, first: ['nobody'] },
      unreached: { count: 1, first: ['nodevice'] },
    })
    for (const receivers of [{ user: '*' }, { target: {} }]) {
      const plan = await planSend(ctx, { product: 'message', ...receivers, content: 'x' })
      expect(plan).not.toHaveProperty('unknown')
    }
  })

  it('refuses what is no audience', async () => {
    const ctx = await createTestApp(store)
    await expect(countReceivers(ctx, { product: 'message' })).rejects.toThrow('Expected exactly one of')
    await expect(countReceivers(ctx, { product: 'message', segment: { all: [] } })).rejects.toMatchObject({
      code: 'invalid-segment',
    })
    await expect(countReceivers(ctx, { product: 'message', target: 'none' })).rejects.toMatchObject({
      code: 'not-found',
    })
  })
})

describe('the sample person', () => {
  it('is the one named, with the value of each attribute', async () => {
    const ctx = await createShop()
    await setAttributes(ctx, { userId: 'sara', attributes: { firstName: 'Sara', age: 30 } })
    const { person, attributes, look } = await getSamplePerson(ctx, { userId: 'omid' })
    expect(person).toMatchObject({ userId: 'omid', deviceType: 'web' })
    expect(attributes).toEqual([
      { name: 'age', kind: 'number' },
      { name: 'firstName', kind: 'text' },
    ])
    expect(look).toEqual({ name: 'Test app' })
    expect((await getSamplePerson(ctx, { userId: 'sara' })).attributes).toEqual([
      { name: 'age', kind: 'number', value: 30 },
      { name: 'firstName', kind: 'text', value: 'Sara' },
    ])
    expect(await getSamplePerson(ctx, { userId: 'nobody' })).not.toHaveProperty('person')
  })

  it('is somebody with attributes when nobody is named, and nobody in an empty app', async () => {
    const ctx = await createShop()
    await setAttributes(ctx, { userId: 'omid', attributes: { firstName: 'Omid' } })
    expect((await getSamplePerson(ctx, {})).person?.userId).toBe('omid')
    expect(await getSamplePerson(await createTestApp(store), {})).toEqual({
      attributes: [],
      look: { name: 'Test app' },
    })
  })

  it('is one of those who would receive the message, if anybody would', async () => {
    const ctx = await createShop()
    await setAttributes(ctx, { userId: 'sara', attributes: { firstName: 'Sara' } })
    const of = async (among: object) =>
      (await getSamplePerson(ctx, { among: { product: 'message', ...among } })).person?.userId
    const web = { all: [{ name: 'deviceType', operator: 'equal_to', value: 'web' }] }
    expect(await of({ segment: web })).toBe('omid')
    expect(await of({ users: ['nobody', 'omid'] })).toBe('omid')
    expect(await of({ user: '*', channel: 'news' })).toBe('sara')
    const onNews = Array.from({ length: 10 }, () => of({ users: ['omid', 'sara'], channel: 'news' }))
    expect(new Set(await Promise.all(onNews))).toEqual(new Set(['sara']))
    expect(['sara', 'omid']).toContain(await of({ user: 'nodevice' }))
    expect(await of({ target: { deviceType: 'ios' } })).toBe('sara')
  })

  it('is whom texts are written for', async () => {
    const ctx = await createShop()
    await setUserAttribute(ctx, 'sara', 'firstName', 'Sara')
    const message = {
      product: 'message',
      content: 'Dear {{ user.firstName }} {{ promoCode }}',
      notification: { title: '{{ user.', body: 'plain' },
      fallback: { content: '{{ userId }}' },
    } as const
    expect((await renderMessage(ctx, { ...message, for: { userId: 'sara' } })).texts).toEqual([
      { field: 'content', text: 'Dear Sara SAMPLE-CODE' },
      {
        field: 'notification.title',
        fault: expect.any(String),
        reason: { code: 'output-not-closed', part: '{{ user.' },
      },
      { field: 'fallback.content', text: 'sara' },
    ])
    await expect(renderMessage(ctx, { ...message, for: { userId: 'nobody' } })).rejects.toMatchObject({
      code: 'not-found',
      message: 'No user has the id "nobody".',
    })
    await setAttributes(ctx, { userId: 'nodevice', attributes: { age: 3 } })
    await expect(renderMessage(ctx, { ...message, for: { userId: 'nodevice' } })).rejects.toMatchObject({
      code: 'not-found',
      message: 'The user "nodevice" has no device.',
    })
  })
})

it('finds people by the beginning of their id, with their devices', async () => {
  const [ctx, other] = [await createShop(), await createTestApp(store)]
  await addDevice(ctx, 'sarah', { token: tokens.fcm('1') })
  await addDevice(ctx, 'samir', { token: tokens.fcm('2'), tokenStatus: 'denied' })
  await addDevice(other, 'sara')
  const { people } = await findPeople(ctx, { search: 'sa' })
  expect(people.map(({ userId, devices }) => [userId, devices.length])).toEqual([
    ['samir', 1],
    ['sara', 2],
    ['sarah', 1],
  ])
  expect(people.map(({ devices }) => devices[0]?.canPush)).toEqual([false, false, true])
  expect((await findPeople(ctx, { search: 'sara' })).people).toHaveLength(2)
  expect((await findPeople(ctx, {})).people).toHaveLength(4)
  expect((await findPeople(ctx, { search: 'zz' })).people).toEqual([])
})

it('says how many codes are left for a campaign and globally', async () => {
  const ctx = await createTestApp(store)
  expect(await getCodesLeft(ctx, {})).toEqual({})
  await createCampaign(ctx, 'spring')
  await replace(ctx, 'spring', 'A1\nA2\nA3\n')
  await replace(ctx, undefined, 'G1\nG2\n')
  await take(ctx, [1], { trackId: 'spring' })
  expect(await getCodesLeft(ctx, { trackId: 'spring' })).toEqual({ campaign: 2, global: 2 })
  expect(await getCodesLeft(ctx, {})).toEqual({ global: 2 })
})
