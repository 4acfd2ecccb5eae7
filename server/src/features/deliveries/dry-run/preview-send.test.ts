import type { DryRun } from '@peyk/contract'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { openStore } from '#base/store/store.ts'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { sendToUsers } from '../../messages/send/send-to-users.ts'
import { createCampaign, replace } from '../../promo/promo.test-support.ts'
import { addCredentials, addDevice, connect, setUserAttribute, tokens } from './preview.test-support.ts'
import { previewSend } from './preview-send.ts'

const store = await createTestStore()

type One = Parameters<typeof previewSend>[1]['sent']

async function toUsers(ctx: Context, sent: One) {
  return (await previewSend(ctx, { sent, product: 'message', to: 'users' })) as DryRun
}
async function notify(ctx: Context, sent: One) {
  return (await previewSend(ctx, { sent, product: 'notification', to: 'either' })) as DryRun
}
async function byQuery(ctx: Context, sent: One) {
  return (await previewSend(ctx, { sent, product: 'message', to: 'group' })) as DryRun
}

/** An app with credentials for FCM and Web Push, and a device of every kind, all of one user. */
async function createApp(): Promise<Context> {
  const ctx = await createTestApp(store)
  await addCredentials(ctx, 'fcm')
  await addCredentials(ctx, 'webpush')
  await addDevice(ctx, 'sara', { token: tokens.fcm('1') })
  await addDevice(ctx, 'sara', { token: tokens.fcm('2') })
  await addDevice(ctx, 'sara', { token: tokens.fcm('3') })
  await addDevice(ctx, 'sara', { deviceType: 'ios', token: tokens.fcm('4') })
  await addDevice(ctx, 'sara', { deviceType: 'ios', token: tokens.apns('5') })
  await addDevice(ctx, 'sara', { deviceType: 'web', token: tokens.webpush('6') })
  await addDevice(ctx, 'sara', { token: tokens.fcm('7'), tokenStatus: 'DENIED' })
  await addDevice(ctx, 'sara')
  return ctx
}

const brief = ({ outcomes }: DryRun) => outcomes.map(({ path, reason, count }) => ({ path, reason, count }))

describe('a dry run', () => {
  it('says which way each installation of a user would go, and how many that are', async () => {
    const ctx = await createApp()
    const preview = await notify(ctx, { user: 'sara', content: 'Hello' })
    expect(preview).toMatchObject({ dryRun: true, count: 8 })
    expect(preview.outcomes).toEqual([
      { path: 'fcm', code: 'token', provider: 'fcm', why: 'its token is one of fcm', count: 4 },
      { path: 'webpush', code: 'token', provider: 'webpush', why: 'its token is one of webpush', count: 1 },
      {
        path: 'ended',
        reason: 'opted-out',
        code: 'notifications-off',
        why: 'notifications are not allowed on the device',
        count: 1,
      },
      {
        path: 'ended',
        reason: 'no-provider',
        code: 'no-credentials',
        provider: 'apns',
        why: 'the app has no credentials for apns',
        count: 1,
      },
      {
        path: 'ended',
        reason: 'no-provider',
        code: 'no-token',
        why: 'the installation has no push token',
        count: 1,
      },
    ])
    const at = preview.faults.indexOf('Not sent to 1 installation: the app has no credentials for apns.')
    expect(preview.faultCodes[at]).toEqual({ code: 'not-sent', count: 1, why: 'no-credentials', provider: 'apns' })
    expect(preview.faultCodes).toHaveLength(preview.faults.length)
  })

  it('counts a message’s inbox where there is no other way', async () => {
    const ctx = await createApp()
    const preview = await toUsers(ctx, { user: 'sara', content: 'Hello' })
    expect(brief(preview).map(({ path }) => path)).toEqual(['fcm', 'webpush', 'inbox', 'inbox', 'inbox'])
    expect(preview.faults).toEqual([])
    expect(brief(await toUsers(ctx, { user: 'sara', content: 'Hello', silent: true }))).toEqual([
      { path: 'inbox', reason: undefined, count: 8 },
    ])
  })

  it('counts what the send itself then answers, to users, everybody and groups', async () => {
    const ctx = await createApp()
    await addDevice(ctx, 'omid', { subscriptions: ['public/news'] })
    await addDevice(ctx, 'omid')
    for (const sent of [
      { users: ['sara', 'omid', 'nobody'], content: 'x' },
      { users: ['sara', 'omid'], content: 'x', channel: 'news' },
      { user: '*', content: 'x' },
      { user: '*', content: 'x', channel: 'news' },
      { user: 'sara', content: 'x', live: true },
    ]) {
      const { count } = await toUsers(ctx, sent)
      expect(await sendToUsers(ctx, sent)).toMatchObject({ count })
    }
    for (const sent of [
      { target: { deviceType: 'ios' }, content: 'x' },
      { segment: { all: [{ name: 'deviceType', operator: 'equal_to', value: 'android' }] }, content: 'x' },
      { target: {}, content: 'x', channel: 'news' },
    ]) {
      const { count } = await byQuery(ctx, sent)
      expect(await sendByQuery(ctx, sent)).toMatchObject({ count })
    }
  })

  it('sends to who is connected over the connection, and by the provider if that is not confirmed', async () => {
    const ctx = await createTestApp(store)
    await addCredentials(ctx, 'fcm')
    const devices = [await addDevice(ctx, 'sara'), await addDevice(ctx, 'sara', { token: tokens.fcm('1') })]
    await addDevice(ctx, 'sara', { token: tokens.fcm('2') })
    for (const device of devices) await connect(ctx, device)
    const preview = await toUsers(ctx, { user: 'sara', content: 'Hello' })
    expect(brief(preview)).toEqual([
      { path: 'fcm', reason: undefined, count: 1 },
      { path: 'connection', reason: undefined, count: 1 },
      { path: 'connection', reason: undefined, count: 1 },
    ])
    expect(preview.outcomes.map(({ code }) => code).sort()).toEqual(['connected-first', 'connected-only', 'token'])
    expect(preview.samples).toHaveLength(2)
    expect(brief(await toUsers(ctx, { user: 'sara', content: 'Hello', live: true }))).toEqual([
      { path: 'connection', reason: undefined, count: 2 },
    ])
    expect(brief(await notify(ctx, { user: 'sara', content: 'Hello' }))).toEqual([
      { path: 'fcm', reason: undefined, count: 2 },
      { path: 'connection', reason: undefined, count: 1 },
    ])
  })

  it('names those outside the channel, and does not count them', async () => {
    const ctx = await createTestApp(store)
    await addDevice(ctx, 'sara', { subscriptions: ['public/news'] })
    await addDevice(ctx, 'sara')
    const preview = await toUsers(ctx, { user: 'sara', content: 'x', channel: 'news' })
    expect(preview.count).toBe(1)
    expect(preview.outcomes).toContainEqual({
      path: 'ended',
      reason: 'not-in-channel',
      code: 'not-in-channel',
      why: 'the installation is not subscribed to the channel',
      count: 1,
    })
  })

  it('shows two payloads for each provider and platform, of real recipients, with their sizes and without tokens', async () => {
    const ctx = await createApp()
    await setUserAttribute(ctx, 'sara', 'firstName', 'Sara')
    const { samples } = await notify(ctx, { user: 'sara', content: 'Dear {{ user.firstName }}', trackId: 't' })
    expect(samples.map(({ provider, platform }) => `${provider} ${platform}`).sort()).toEqual([
      'fcm android',
      'fcm android',
      'fcm ios',
      'webpush web',
    ])
    const [first] = samples.filter(({ platform }) => platform === 'android')
    expect(first).toMatchObject({
      userId: 'sara',
      installationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      allowed: 4096,
      payload: { message: { data: { body: 'Dear Sara', trackId: 't' }, android: { priority: 'HIGH' } } },
    })
    expect(first?.bytes).toBe(
      Buffer.byteLength(JSON.stringify((first as { payload: { message: object } }).payload.message)),
    )
    expect(samples.find(({ provider }) => provider === 'webpush')).toMatchObject({
      allowed: 3993,
      headers: { Urgency: 'high', Topic: expect.any(String) },
      payload: { title: 'Test app', body: 'Dear Sara' },
    })
    expect(JSON.stringify(samples)).not.toMatch(/APA91b|push\.example/)
  })

  it('tells what would be refused', async () => {
    const ctx = await createApp()
    await setUserAttribute(ctx, 'sara', 'text', 'x'.repeat(5_000))
    const { samples, faults, faultCodes } = await notify(ctx, { user: 'sara', content: '{{ user.text }}' })
    const bytes = expect.any(Number)
    expect(faultCodes).toContainEqual({ code: 'too-large', provider: 'webpush', platform: 'web', bytes, allowed: 3993 })
    expect(samples.every(({ fault, bytes }) => /bytes, allowed are/.test(fault ?? '') && (bytes ?? 0) > 5_000)).toBe(
      true,
    )
    expect(faults).toContainEqual(
      expect.stringMatching(/^A sample for webpush on web would be refused: it has 5\d+ bytes/),
    )
  })

  it('refuses what the send would refuse', async () => {
    const ctx = await createTestApp(store)
    await expect(toUsers(ctx, { user: 'a', content: '{{' })).rejects.toMatchObject({ code: 'invalid-template' })
    await expect(toUsers(ctx, { user: 'a', content: 'x'.repeat(5_000) })).rejects.toMatchObject({
      code: 'payload-too-large',
    })
    await expect(toUsers(ctx, { target: {}, content: 'x' })).rejects.toThrow(
      'Expected exactly one of "user" or "users"',
    )
    await expect(byQuery(ctx, { user: 'a', content: 'x' })).rejects.toThrow('Expected exactly one of "target"')
    await expect(byQuery(ctx, { target: 'no such segment', content: 'x' })).rejects.toMatchObject({ code: 'not-found' })
    const elements = [
      { user: 'a', content: 'x' },
      { user: 'b', content: '{{' },
    ]
    await expect(toUsers(ctx, elements)).rejects.toMatchObject({ details: { index: 1 } })
  })

  it('says that nobody receives it, and that a provider is paused', async () => {
    const ctx = await createTestApp(store)
    expect(await toUsers(ctx, { user: 'nobody', content: 'x' })).toMatchObject({
      faults: ['Nobody receives it.'],
      faultCodes: [{ code: 'nobody' }],
    })
    await addCredentials(ctx, 'fcm', { pausedReason: 'the key was revoked.' })
    await addDevice(ctx, 'sara', { token: tokens.fcm('1') })
    expect(await toUsers(ctx, { user: 'sara', content: 'x' })).toMatchObject({
      faults: ['fcm is paused, with 1 installation waiting: the key was revoked.'],
      faultCodes: [{ code: 'paused', count: 1, provider: 'fcm', detail: 'the key was revoked.' }],
    })
  })

  it('answers an array in its order', async () => {
    const ctx = await createApp()
    await addDevice(ctx, 'omid', { token: tokens.fcm('8') })
    const previews = (await previewSend(ctx, {
      sent: [
        { user: 'omid', content: 'first' },
        { user: '*', content: 'second' },
        { users: ['sara', 'nobody'], content: 'third' },
        { user: 'nobody', content: 'fourth' },
      ],
      product: 'message',
      to: 'users',
    })) as DryRun[]
    expect(previews.map(({ count }) => count)).toEqual([1, 9, 8, 0])
    expect(previews[0]?.samples).toMatchObject([{ userId: 'omid', payload: { message: { data: { body: 'first' } } } }])
    expect(JSON.stringify(previews[1]?.samples)).toContain('second')
    expect(JSON.stringify(previews[2]?.samples)).toContain('third')
  })

  it('keeps apps apart', async () => {
    const [mine, other] = [await createApp(), await createTestApp(store)]
    await addDevice(other, 'sara')
    expect((await toUsers(mine, { user: 'sara', content: 'x' })).count).toBe(8)
    expect((await toUsers(other, { user: '*', content: 'x' })).count).toBe(1)
    expect((await byQuery(other, { target: {}, content: 'x' })).count).toBe(1)
  })
})

describe('a dry run of a message with codes', () => {
  const content = 'Your code: {{ promoCode }}'

  async function createShop(): Promise<Context> {
    const ctx = await createTestApp(store)
    await addCredentials(ctx, 'fcm')
    for (const [index, user] of ['a', 'b', 'b', 'c'].entries()) {
      await addDevice(ctx, user, { token: tokens.fcm(String(index)) })
    }
    await createCampaign(ctx, 'spring')
    return ctx
  }

  it('says how many are needed and left, and shows one that is none of them', async () => {
    const ctx = await createShop()
    await replace(ctx, 'spring', 'SPRING-1\nSPRING-2\n')
    await replace(ctx, undefined, 'GLOBAL-1\nSPRING-2\n')
    const preview = await byQuery(ctx, { target: {}, content, trackId: 'spring' })
    expect(preview.promo).toEqual({ needed: 3, campaignLeft: 2, globalLeft: 1, missing: 0, sampleCode: 'XXXXXX-0' })
    expect(preview.samples[0]?.payload).toMatchObject({ message: { data: { body: 'Your code: XXXXXX-0' } } })
    const other = await byQuery(ctx, { target: {}, content })
    expect(other.promo).toMatchObject({ needed: 3, campaignLeft: 0, globalLeft: 2, missing: 1, sampleCode: 'XXXXXX-0' })
    expect(other.faults).toContain('Not sent to 1 user: there are not enough promo codes.')
    expect(other.faultCodes).toContainEqual({ code: 'no-codes', count: 1 })
  })

  it('counts what one element of a list would take as gone for the next', async () => {
    const ctx = await createShop()
    await replace(ctx, 'spring', 'A1\n')
    const previews = (await previewSend(ctx, {
      sent: ['a', 'b'].map((user) => ({ user, content, trackId: 'spring' })),
      product: 'message',
      to: 'users',
    })) as DryRun[]
    expect(previews.map(({ promo }) => promo?.missing)).toEqual([0, 1])
  })

  it('has a sample also where there are no codes at all', async () => {
    const ctx = await createShop()
    const { promo, samples } = await toUsers(ctx, { user: 'a', content })
    expect(promo).toMatchObject({ needed: 1, missing: 1, sampleCode: 'SAMPLE-CODE' })
    expect(JSON.stringify(samples)).toContain('Your code: SAMPLE-CODE')
  })
})

describe('a dry run of a message with a substitute SMS', () => {
  it('says for how many users there is a phone number', async () => {
    const ctx = await createTestApp(store)
    await addDevice(ctx, 'sara')
    await addDevice(ctx, 'omid')
    await setUserAttribute(ctx, 'sara', 'phone', '+98 912 123 45 67')
    await setUserAttribute(ctx, 'omid', 'phone', 'none')
    const sent = { users: ['sara', 'omid', '989121234567'], content: 'x', fallback: { content: 'sms' } }
    const preview = await notify(ctx, sent)
    expect(preview.sms).toEqual({ users: 3, withPhone: 2 })
    expect(preview.faults).toContain('The app has no SMS gateway: no substitute SMS is sent.')
    expect(preview.faults).toContain('No substitute SMS for 1 user: no phone number is known.')
    expect(preview.faultCodes).toContainEqual({ code: 'no-phone', count: 1 })
    await addCredentials(ctx, 'sms')
    expect((await notify(ctx, sent)).faults).not.toContain('The app has no SMS gateway: no substitute SMS is sent.')
    expect((await notify(ctx, { users: ['sara'], content: 'x' })).sms).toBeUndefined()
  })
})

describe('a dry run of a text that takes long to write', () => {
  const onlyConnection = openStore(store.url, { poolSize: 1 })
  afterAll(() => onlyConnection.close())

  it('leaves the connection to others meanwhile', async () => {
    const ctx = { ...(await createTestApp(store)), store: onlyConnection }
    await addCredentials(ctx, 'fcm')
    await addDevice(ctx, 'sara', { token: tokens.fcm('1') })
    const content = '{{ (9007199254740992..9007199254740994) | first }} for a dry run'
    let isOver = false
    const preview = notify(ctx, { user: 'sara', content }).finally(() => {
      isOver = true
    })
    let answeredMeanwhile = 0
    while (!isOver) {
      await onlyConnection.query(sql`select 1`)
      if (!isOver) answeredMeanwhile++
    }
    expect((await preview).faults).toContainEqual(expect.stringContaining('too long'))
    // Before the dry run has taken the connection, and between its own questions, there is room for a few.
    expect(answeredMeanwhile).toBeGreaterThan(10)
  })
})

describe('the plan of a dry run', () => {
  const HOUR = 3_600_000
  const hourOf = (at: number) => Math.floor(at / HOUR) * HOUR

  async function createZonedApp() {
    const ctx = await createTestApp(store)
    await addCredentials(ctx, 'fcm')
    for (const [user, zone] of [
      ['east', 'Etc/GMT-5'],
      ['here', 'UTC'],
      ['west', 'Etc/GMT+3'],
      ['nowhere', null],
    ] as const) {
      await addDevice(ctx, user, { token: tokens.fcm(user) })
      await store.query(sql`
        update installations i set time_zone = ${zone} from users u
        where u.app_id = ${ctx.app.id} and u.user_id = ${user} and i.app_id = u.app_id and i.user_no = u.user_no`)
    }
    const at = Date.now() + 2 * HOUR
    return { ctx, at, local: new Date(at).toISOString().slice(0, 19) }
  }

  it('is one hour for a moment, and none for a message that goes now', async () => {
    const { ctx, at } = await createZonedApp()
    const sent = { target: {}, content: 'Hello' }
    expect((await byQuery(ctx, { ...sent, sendAt: at })).plan).toEqual([{ at: hourOf(at), count: 4 }])
    expect(await byQuery(ctx, sent)).not.toHaveProperty('plan')
  })

  it('says in which hour how many go, and who is left out', async () => {
    const { ctx, at, local } = await createZonedApp()
    const sent = { target: {}, content: 'Hello' }
    const now = await byQuery(ctx, { ...sent, sendAt: { local } })
    expect(now.plan).toEqual([
      { at: hourOf(Date.now()), count: 1 },
      { at: hourOf(at), count: 2 },
      { at: hourOf(at + 3 * HOUR), count: 1 },
    ])
    const skip = await byQuery(ctx, { ...sent, sendAt: { local, late: 'skip' } })
    expect(skip.plan).toEqual(now.plan?.slice(1))
    expect([skip.count, ...brief(skip).map(({ path, count }) => [path, count])]).toEqual([4, ['fcm', 3], ['ended', 1]])
    expect(skip.outcomes.at(-1)).toMatchObject({ reason: 'skipped', code: 'time-passed', count: 1 })
    const contents = { fa: { content: 'سلام' } }
    expect(await byQuery(ctx, { ...sent, contents, sendAt: { local, late: 'skip' } })).toMatchObject({
      languages: { fa: 0, default: 3 },
      plan: skip.plan,
    })
    const next = await toUsers(ctx, { users: ['east', 'west'], content: 'x', sendAt: { local, late: 'nextDay' } })
    expect(next.plan).toEqual([
      { at: hourOf(at + 3 * HOUR), count: 1 },
      { at: hourOf(at + 19 * HOUR), count: 1 },
    ])
  })

  it('is there for each of an array, with promo codes for those who get it', async () => {
    const { ctx, local } = await createZonedApp()
    await createCampaign(ctx, 'spring')
    const message = { content: '{{ promoCode }}', trackId: 'spring', sendAt: { local, late: 'skip' as const } }
    const sent = [
      { ...message, users: ['east', 'here'] },
      { user: 'west', content: 'now' },
    ]
    const previews = await previewSend(ctx, { sent, product: 'message', to: 'users' })
    expect(previews.map(({ plan }) => plan?.length)).toEqual([1, undefined])
    expect(previews[0]?.promo).toMatchObject({ needed: 1 })
  })
})
