import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { listenTo, readOutbox } from '@peyk/test/outbox.ts'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Context } from '#base/context.ts'
import { registerInstallation } from '../../installations/register/register-installation.ts'
import { updateInstallation } from '../../installations/register/update-installation.ts'
import { addTags } from '../../installations/tags/add-tags.ts'
import { verifyInvariants } from '../../statistics/invariants/verify-invariants.ts'
import { readColumnMap } from './column-map.ts'
import { bring, createFiles, devicesOf, refusedOf, tokens, usersOf } from './import.test-support.ts'

const store = await createTestStore()
const { fileOf, ndjson } = await createFiles()

describe('a line without a user', () => {
  const line = (token: string, more: object = {}) => ({
    ...{ deviceType: 'android', deviceToken: token, tags: { vip: '1', new: true }, 'attributes.age': 31, ...more },
  })

  test('makes a guest with its tags and attributes, once', async () => {
    const ctx = await createTestApp(store)
    const file = await ndjson(line(tokens.fcm(1)), line(tokens.fcm(2), { tags: [] }), { tags: ['vip'] })
    const { refusedFile, ...counts } = await bring(ctx, file)
    expect(counts).toMatchObject({ imported: 2, devices: 2, refused: 1 })
    expect(await refusedOf(refusedFile)).toEqual([{ line: 3, why: expect.stringContaining('"userId"') }])
    const guests = await usersOf(ctx)
    expect(guests).toHaveLength(2)
    for (const guest of guests)
      expect(guest).toMatchObject({
        isGuest: true,
        attributes: { age: 31 },
        installations: [{ deviceType: 'android' }],
      })
    expect(guests.filter(({ tags }) => tags)).toMatchObject([{ tags: { vip: '1', new: null } }])
    expect(await bring(ctx, file)).toMatchObject({ imported: 2, devices: 0 })
    expect(await usersOf(ctx)).toEqual(guests)
  })

  test('can be sent to by its tag, and logs in like any guest', async () => {
    const ctx = await createTestApp(store)
    await bring(ctx, await ndjson(line(tokens.fcm(1))))
    const [device] = await devicesOf(ctx)
    expect(device).toMatchObject({ isGuest: true, isLoggedIn: false, tags: ['new', 'vip'], userInfo: { age: 31 } })
    await updateInstallation(ctx, { id: device?.id as string, body: { userId: 'sara', isGuest: false } })
    expect(await devicesOf(ctx)).toMatchObject([{ userId: 'sara', tags: [] }])
  })

  test('says nothing of a device that belongs to somebody by now', async () => {
    const ctx = await createTestApp(store)
    const file = await ndjson(line(tokens.fcm(1)), line(tokens.fcm(2)))
    await registerInstallation(ctx, { deviceType: 'android', deviceToken: tokens.fcm(1), userId: 'sara' })
    await registerInstallation(ctx, { deviceType: 'android', deviceToken: tokens.fcm(2) })
    const before = await usersOf(ctx)
    expect(await bring(ctx, file)).toMatchObject({ imported: 2, devices: 0, refused: 0 })
    expect(await usersOf(ctx)).toEqual(before)
  })

  test('may have several devices: they are one guest’s', async () => {
    const ctx = await createTestApp(store)
    const installations = [1, 2].map((number) => ({ deviceType: 'ios', deviceToken: tokens.apns(number) }))
    expect(await bring(ctx, await ndjson({ tags: ['vip'], installations }))).toMatchObject({ devices: 2 })
    expect(await usersOf(ctx)).toMatchObject([{ isGuest: true, tags: { vip: null }, installations }])
  })
})

describe('the value of a tag', () => {
  test.each([
    [
      { list: [1, 2], place: { city: 'berlin' }, n: 3 },
      { list: '[1,2]', place: '{"city":"berlin"}', n: '3' },
    ],
    ['{"list":[1,2]}', { list: '[1,2]' }],
    ['null', undefined],
    [' null ', undefined],
    ['null;vip', { null: null, vip: null }],
  ])('of %j is kept as it is written', async (sent, tags) => {
    const ctx = await createTestApp(store)
    await bring(ctx, await ndjson({ userId: 'sara', deviceType: 'ios', deviceToken: tokens.apns(1), tags: sent }))
    const [user] = await usersOf(ctx)
    expect(user?.userId).toBe('sara')
    expect(user?.tags ?? undefined).toEqual(tags)
  })
})

describe('a device that opted out', () => {
  test.each([
    { tokenStatus: 'DENIED' },
    { tokenStatus: 'denied' },
    { tokenStatus: -2 },
    { tokenStatus: '0' },
    { tokenStatus: '-99' },
    { optedOut: 't' },
    { optedOut: true },
    { optedOut: 'TRUE', tokenStatus: '1' },
    { optedOut: 'f', tokenStatus: '-2' },
    { optedOut: '1' },
    { optedOut: 'yes' },
  ])('by %j is imported as such', async (status) => {
    const ctx = await createTestApp(store)
    const line = { userId: 'sara', deviceType: 'android', deviceToken: tokens.fcm(1), ...status }
    expect(await bring(ctx, await ndjson(line))).toMatchObject({ devices: 1, refused: 0 })
    expect(await devicesOf(ctx)).toMatchObject([{ userId: 'sara', tokenStatus: 'DENIED' }])
    expect((await devicesOf(ctx))[0]).not.toHaveProperty('deviceToken')
    expect(await bring(ctx, await ndjson(line))).toMatchObject({ devices: 0, refused: 0 })
  })

  test.each([
    { tokenStatus: 1 },
    { tokenStatus: '31' },
    { tokenStatus: 'allowed' },
    { optedOut: 'false' },
    { optedOut: 0 },
    {},
  ])('is not one with %j', async (status) => {
    const ctx = await createTestApp(store)
    const line = { deviceType: 'android', deviceToken: tokens.fcm(1), ...status }
    expect(await bring(ctx, await ndjson(line))).toMatchObject({ devices: 1, refused: 0 })
    const [device] = await devicesOf(ctx)
    expect(device).toMatchObject({ deviceToken: tokens.fcm(1) })
    expect([undefined, 'ALLOWED']).toContain(device?.tokenStatus)
  })

  test.each([{ tokenStatus: 'whatever' }, { tokenStatus: '-2x' }, { optedOut: 'maybe' }])(
    'is not guessed from %j',
    async (status) => {
      const ctx = await createTestApp(store)
      const { refusedFile } = await bring(
        ctx,
        await ndjson({ deviceType: 'ios', deviceToken: tokens.apns(1), ...status }),
      )
      expect(await refusedOf(refusedFile)).toMatchObject([{ line: 1 }])
    },
  )

  test('since the last import is silent from then on, unless its app has registered itself', async () => {
    const ctx = await createTestApp(store)
    const line = (number: number, more: object = {}) => ({
      deviceType: 'android',
      deviceToken: tokens.fcm(number),
      ...more,
    })
    await registerInstallation(ctx, { deviceType: 'android', deviceToken: tokens.fcm(1), tokenStatus: 'ALLOWED' })
    await bring(ctx, await ndjson(line(2), line(3)))
    const later = await ndjson(...[1, 2].map((number) => line(number, { optedOut: true })), line(3))
    expect(await bring(ctx, later)).toMatchObject({ devices: 0, refused: 0 })
    const states = (await devicesOf(ctx)).map(({ tokenStatus, deviceToken }) => [tokenStatus, deviceToken])
    expect(states).toEqual([
      ['ALLOWED', tokens.fcm(1)],
      ['DENIED', undefined],
      [undefined, tokens.fcm(3)],
    ])
  })
})

describe('the history of a device', () => {
  const now = new Date('2026-11-15T12:00:00Z')
  const at = { at: () => now }
  const days = (ctx: Context) =>
    store.query(sql`
      select day::text, platform, sum(installs)::int as installs, sum(visits)::int as visits,
        sum(active_installations)::int as devices, sum(active_users)::int as users
      from activity_days where app_id = ${ctx.app.id} group by 1, 2 order by 1`)

  test('counts on its own days', async () => {
    const ctx = await createTestApp(store, at)
    const history = { installDate: '2025-01-02 03:04:05 UTC', launchTime: 1757894400, launchCount: '12' }
    const line = { userId: 'sara', deviceType: 'ios', deviceToken: tokens.apns(1), ...history }
    expect(await bring(ctx, await ndjson(line))).toMatchObject({ devices: 1, refused: 0 })
    expect(await devicesOf(ctx)).toMatchObject([
      {
        launchCount: 12,
        installDate: Date.UTC(2025, 0, 2, 3, 4, 5),
        launchTime: Date.UTC(2025, 8, 15),
        created: now.getTime(),
      },
    ])
    expect(await days(ctx)).toEqual([
      { day: '2025-01-02', platform: 'ios', installs: 1, visits: 0, devices: 0, users: 0 },
      { day: '2025-09-15', platform: 'ios', installs: 0, visits: 1, devices: 1, users: 1 },
    ])
  })

  test.each([
    [{}, '2000-01-01', '2000-01-01'],
    [{ installDate: '2025-01-02' }, '2025-01-02', '2025-01-02'],
    [{ launchTime: '2025-01-02' }, '2025-01-02', '2025-01-02'],
    [{ launchTime: '2030-01-01T00:00:00Z', installDate: 0 }, '2000-01-01', '2000-01-01'],
    [{ launchTime: '2024-01-01', installDate: '2025-01-01' }, '2024-01-01', '2024-01-01'],
  ])('that says %j is never of today', async (history, installed, launched) => {
    const ctx = await createTestApp(store, at)
    await bring(ctx, await ndjson({ deviceType: 'ios', deviceToken: tokens.apns(1), ...history }))
    const [device] = await devicesOf(ctx)
    const dates = [device?.installDate, device?.launchTime].map((ms) =>
      new Date(ms as number).toISOString().slice(0, 10),
    )
    expect(dates).toEqual([installed, launched])
    for (const { day } of (await days(ctx)) as { day: string }[]) expect([installed, launched]).toContain(day)
  })

  test('with a date that cannot be read is refused', async () => {
    const ctx = await createTestApp(store, at)
    const lines = ['yesterday', '2025-02-31'].map((launchTime) => ({
      deviceType: 'ios',
      deviceToken: tokens.apns(1),
      launchTime,
    }))
    const { refusedFile } = await bring(ctx, await ndjson(...lines))
    expect(await refusedOf(refusedFile)).toMatchObject(
      lines.map(() => ({ why: expect.stringContaining('"launchTime"') })),
    )
  })

  test('keeps the invariants of what is counted', async () => {
    const ctx = await createTestApp(store)
    const lines = Array.from({ length: 40 }, (_, index) => ({
      ...(index % 3 && { userId: `user-${index % 7}` }),
      ...{ deviceType: index % 2 ? 'ios' : 'android', deviceToken: index % 2 ? tokens.apns(index) : tokens.fcm(index) },
      ...(index % 5 && { launchTime: Date.UTC(2025, 0, 1 + (index % 9)), installDate: Date.UTC(2024, 0, 1 + index) }),
      ...(index % 4 === 0 && { tags: { level: String(index) } }),
    }))
    await bring(ctx, await ndjson(...lines))
    await bring(ctx, await ndjson(...lines))
    for (const { name, broken } of await verifyInvariants({ store }, { onVerdict: () => {} }))
      expect([name, broken]).toEqual([name, 0])
  })
})

describe('a time zone', () => {
  test.each([
    [{ timeZone: 'Asia/Tehran', utcOffset: '3600' }, 'Asia/Tehran'],
    [{ utcOffset: '3600' }, 'Etc/GMT-1'],
    [{ utcOffset: -28_800 }, 'Etc/GMT+8'],
    [{ utcOffset: '0' }, 'Etc/UTC'],
    [{ utcOffset: 12_600 }, 'Asia/Tehran'],
    [{ utcOffset: '19800' }, 'Asia/Kolkata'],
    [{ timeZone: '12600' }, 'Asia/Tehran'],
    [{ timeZone: 7200 }, 'Etc/GMT-2'],
    [{ utcOffset: '50400' }, 'Etc/GMT-14'],
    [{ utcOffset: '' }, undefined],
    [{ utcOffset: '-17762' }, undefined],
    [{ utcOffset: '90000' }, undefined],
    [{ timeZone: 'Foo/Bar' }, undefined],
    [{ timeZone: 'Foo/Bar', utcOffset: '3600' }, 'Etc/GMT-1'],
    [{ timeZone: 'null', utcOffset: '3600' }, 'Etc/GMT-1'],
    [{ timeZone: '99999999' }, undefined],
  ])('by %j is %s', async (said, zone) => {
    const ctx = await createTestApp(store)
    await bring(ctx, await ndjson({ deviceType: 'ios', deviceToken: tokens.apns(1), ...said }))
    expect((await devicesOf(ctx)).map(({ timeZone }) => timeZone)).toEqual([zone])
  })

  test('that is no number is refused as an offset', async () => {
    const ctx = await createTestApp(store)
    const { refusedFile } = await bring(
      ctx,
      await ndjson({ deviceType: 'ios', deviceToken: tokens.apns(1), utcOffset: 'Berlin' }),
    )
    expect(await refusedOf(refusedFile)).toMatchObject([{ why: expect.stringContaining('"utcOffset"') }])
  })
})

test('a device that registers while it is imported keeps its token', async () => {
  const ctx = await createTestApp(store)
  const file = await ndjson(
    ...Array.from({ length: 200 }, (_, index) => ({
      userId: `u${index}`,
      deviceType: 'android',
      deviceToken: tokens.fcm(index),
    })),
  )
  const registering = Array.from({ length: 200 }, (_, index) =>
    registerInstallation(ctx, {
      deviceType: 'android',
      deviceToken: tokens.fcm(199 - index),
      userId: `own${index % 50}`,
    }),
  )
  const [own] = await Promise.all([Promise.all(registering), bring(ctx, file)])
  const held = new Map((await devicesOf(ctx)).map(({ id, deviceToken }) => [id, deviceToken]))
  expect(own.map(({ id }) => held.get(id))).toEqual(own.map(({ deviceToken }) => deviceToken))
})

test('tags of a registered user are set whether or not the device is known', async () => {
  const ctx = await createTestApp(store)
  await registerInstallation(ctx, { deviceType: 'android', deviceToken: tokens.fcm(1), userId: 'sara' })
  await addTags(ctx, { userId: 'sara', tags: ['own'] })
  await bring(ctx, await ndjson({ userId: 'sara', deviceType: 'android', deviceToken: tokens.fcm(1), tags: ['vip'] }))
  expect(await devicesOf(ctx)).toMatchObject([{ tags: ['own', 'vip'] }])
})

test('webhooks are not called for imported devices and users, and are for the next new ones', async () => {
  const ctx = await createTestApp(store)
  await listenTo(ctx)
  const line = { userId: 'sara', deviceType: 'android', deviceToken: tokens.fcm(1), tags: ['vip'] }
  expect(await bring(ctx, await ndjson(line))).toMatchObject({ devices: 1 })
  expect(await readOutbox(ctx)).toEqual([])
  await registerInstallation(ctx, { deviceType: 'android', deviceToken: tokens.fcm(1), userId: 'sara' })
  expect((await readOutbox(ctx)).map(({ kind }) => kind)).toEqual(['installation.new'])
})

describe('columns', () => {
  const order = { map: readColumnMap(['a=tags.a']) }
  test.each([
    ['csv', 'userId,x1,x2,tag,a\nsara,1,2,vip,1\n'],
    ['ndjson', '{"userId":"sara","x1":1}\n{"userId":"sara","tag":1}\n{"userId":"ali","x2":2,"a":1}\n'],
  ])('that nobody knows are all named at once, and nothing is stored: %s', async (ending, text) => {
    const ctx = await createTestApp(store)
    const message = await bring(ctx, await fileOf(text, ending), order).catch(String)
    for (const name of ['"x1"', '"x2"', '"tag"', 'did you mean "tags"?', '--ignore-rest'])
      expect(message).toContain(name)
    expect(message).not.toContain('"a"')
    expect(await usersOf(ctx)).toEqual([])
    expect(await bring(ctx, await fileOf(text, ending), { ...order, ignoresRest: true })).toMatchObject({
      refused: ending === 'csv' ? 0 : 2,
    })
  })

  test('that --map names and the file does not have are a mistake', async () => {
    const ctx = await createTestApp(store)
    const file = await fileOf('user_id,tags\nsara,vip\n')
    const map = readColumnMap(['userid=userId', 'gone='])
    await expect(bring(ctx, file, { map, ignoresRest: true })).rejects.toThrow('did you mean "user_id"?')
  })

  test('of a CSV are one field each', async () => {
    const ctx = await createTestApp(store)
    const file = await fileOf('userId,external_id,tags\nsara,ali,vip\n')
    await expect(bring(ctx, file, { map: readColumnMap(['external_id=userId']) })).rejects.toThrow('"userId"')
  })
})
