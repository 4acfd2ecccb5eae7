import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { createDelivery } from '@peyk/test/delivery.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Context } from '#base/context.ts'
import { notifyToUsers } from '../../messages/send/notify-to-users.ts'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { readUsage } from '../../statistics/usage/read-usage.ts'
import { readColumnMap } from './column-map.ts'
import { bring, createFiles, refusedOf, tokens, usersOf } from './import.test-support.ts'
import { oneSignal } from './onesignal.ts'

const { providers, store, createApp, startDispatcher } = await createDelivery()
const { fileOf } = await createFiles()

/** The default columns of the export, and all that can be asked for beside them. */
const columns = [
  ...['id', 'identifier', 'session_count', 'language', 'timezone', 'game_version', 'device_os', 'device_type'],
  ...['device_model', 'ad_id', 'tags', 'last_active', 'playtime', 'amount_spent', 'created_at', 'invalid_identifier'],
  ...['badge_count', 'external_user_id', 'onesignal_id', 'location', 'country', 'rooted', 'notification_types', 'ip'],
  ...['web_auth', 'web_p256', 'unsubscribed_at', 'timezone_id'],
]

const usual: Record<string, string> = {
  ...{ session_count: '12', language: 'en', timezone: '-28800', game_version: '3.2.0', device_os: '17.4' },
  ...{
    device_type: '1',
    device_model: 'Pixel 9, "Pro"',
    tags: '{"plan":"pro","level":"4"}',
    last_active: '1756800000',
  },
  ...{ playtime: '90', amount_spent: '0', created_at: '1700000000', invalid_identifier: 'f', badge_count: '0' },
  ...{ notification_types: '1', country: 'us', rooted: 'f' },
}

const cell = (text = '') => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
const exportOf = (...rows: Record<string, string>[]) =>
  fileOf(
    [
      columns.join(','),
      ...rows.map((row, index) => {
        const filled = { ...usual, id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`, ...row }
        return columns.map((column) => cell(filled[column as keyof typeof filled])).join(',')
      }),
    ].join('\n'),
  )

const from = { from: oneSignal }
const subscription = providers.tokens.issue('webpush', 'browser')

async function countsOf(ctx: Context): Promise<Record<string, number>> {
  const rows = await store.query<{ day: string; installs: number; users: number }>(sql`
    select day::text, sum(installs)::int as installs, sum(active_users)::int as users from activity_days
    where app_id = ${ctx.app.id} group by 1 order by 1`)
  return Object.fromEntries(rows.map(({ day, installs, users }) => [day, installs + users]))
}

test('an export of OneSignal comes in with no further option, and all that it knows of a device', async () => {
  const ctx = await createApp()
  const file = await exportOf(
    { identifier: tokens.fcm(1), external_user_id: 'sara' },
    { identifier: tokens.apns(2), external_user_id: 'ali', device_type: '0', timezone_id: 'Europe/Berlin' },
  )
  expect(await bring(ctx, file, from)).toMatchObject({ lines: 2, imported: 2, devices: 2, refused: 0 })
  const common = { language: 'en', clientVersion: '3.2.0', osVersion: '17.4', launchCount: 12 }
  const dates = { launchedAt: '2025-09-02T08:00:00.000Z', installedAt: '2023-11-14T22:13:20.000Z' }
  expect(await usersOf(ctx)).toMatchObject([
    {
      ...{ userId: 'ali', tags: { plan: 'pro', level: '4' } },
      installations: [
        { deviceType: 'ios', deviceToken: tokens.apns(2), timeZone: 'Europe/Berlin', ...common, ...dates },
      ],
    },
    { userId: 'sara', installations: [{ deviceType: 'android', timeZone: 'Etc/GMT+8', ...common, ...dates }] },
  ])
  expect(await countsOf(ctx)).toEqual({ '2023-11-14': 2, '2025-09-02': 2 })
  const usage = await readUsage(ctx, {})
  expect(usage).toMatchObject({ installations: 2, total: { newInstallations: 0, activeInstallations: 0 } })
})

test('what is no device of FCM or APNs is refused with its line and why', async () => {
  const ctx = await createApp()
  const web = { web_auth: subscription.keys.auth, web_p256: subscription.keys.p256dh }
  const file = await exportOf(
    { identifier: 'sara@example.com', device_type: '11', external_user_id: 'sara' },
    { identifier: '+4915112345678', device_type: '14', external_user_id: 'sara' },
    { identifier: subscription.endpoint, device_type: '5', ...web },
    { identifier: tokens.apns(1), device_type: '7' },
    { identifier: subscription.endpoint, device_type: '8', ...web },
    { identifier: 'sara@example.com', device_type: '1' },
    { identifier: tokens.fcm(1), device_type: '0' },
    { identifier: '', device_type: '1' },
    { identifier: tokens.fcm(1), device_type: '99' },
    { identifier: tokens.apns(1), device_type: '17' },
  )
  const { refusedFile, ...counts } = await bring(ctx, file, from)
  expect(counts).toMatchObject({ lines: 10, imported: 1, devices: 1, refused: 9 })
  const why = (text: string) => expect.stringContaining(text)
  expect(await refusedOf(refusedFile)).toEqual([
    { line: 2, why: why('11 is an email address') },
    { line: 3, why: why('14 is a phone number') },
    { line: 4, why: why('--device-type 5=web') },
    { line: 5, why: why('Safari') },
    { line: 6, why: why('--device-type 8=web') },
    { line: 7, why: why('not an FCM token') },
    { line: 9, why: why('"deviceToken" is required') },
    { line: 10, why: why('99') },
    { line: 11, why: why('--device-type 17=web') },
  ])
})

test('browsers come in where Peyk is said to have their key pair', async () => {
  const ctx = await createApp()
  const { endpoint, keys } = subscription
  const row = { identifier: endpoint, device_type: '5', web_auth: keys.auth, web_p256: keys.p256dh }
  const file = await exportOf(row, { ...row, identifier: `${endpoint}x`, web_p256: '' }, { ...row, device_type: '8' })
  const { refusedFile, ...counts } = await bring(ctx, file, { ...from, deviceTypes: new Map([['5', 'web']]) })
  expect(counts).toMatchObject({ devices: 1, refused: 2 })
  expect((await refusedOf(refusedFile)).map(({ line }) => line)).toEqual([3, 4])
  const [{ installations } = {}] = await usersOf(ctx)
  const [{ deviceType, deviceToken }] = installations as [{ deviceType: string; deviceToken: string }]
  expect([deviceType, JSON.parse(deviceToken)]).toEqual(['web', { endpoint, keys }])
})

test('whoever opted out there is pushed nothing, and anonymous devices are found by their tags', async () => {
  const ctx = await createApp()
  const token = (id: string) => providers.tokens.issue('fcm', id)
  const file = await exportOf(
    { identifier: token('on'), external_user_id: 'on' },
    { identifier: token('anonymous') },
    ...['-2', '0', '-99'].map((types, index) => ({ identifier: token(`off-${index}`), notification_types: types })),
    { identifier: token('invalid'), invalid_identifier: 't' },
    { identifier: token('never'), external_user_id: 'never', invalid_identifier: 'true', notification_types: '1' },
    { identifier: token('unknown'), notification_types: '', invalid_identifier: '' },
  )
  expect(await bring(ctx, file, from)).toMatchObject({ imported: 8, devices: 8, refused: 0 })
  expect((await bring(ctx, file, from)).devices).toBe(0)
  startDispatcher()
  const segment = { all: [{ name: 'tags', operator: 'include', value: 'plan' }] } as never
  await sendByQuery(ctx, { content: 'Hello', segment })
  await notifyToUsers(ctx, { users: ['on', 'never'], content: 'update' })
  const expected = ['anonymous', 'on', 'on', 'unknown']
  const readIds = () => providers.record.list({ provider: 'fcm' }).map(({ tokenId }) => tokenId)
  await until(readIds, (ids) => ids.length >= expected.length)
  const [{ count } = {}] = await until(
    () =>
      store.query<{ count: number }>(
        sql`select count(*)::int as count from delivery_batches where app_id = ${ctx.app.id}`,
      ),
    ([row]) => row?.count === 0,
  )
  expect(count).toBe(0)
  expect(readIds().toSorted()).toEqual(expected)
})

test('all columns that are new to Peyk are named at once, and can be left out', async () => {
  const ctx = await createApp()
  const text = await readFile(await exportOf({ identifier: tokens.fcm(1) }), 'utf8')
  const [head, row] = text.split('\n')
  const file = await fileOf([`${head},new_1,new_2`, `${row},1,2`].join('\n'))
  const fault = await bring(ctx, file, from).catch(String)
  for (const name of ['"new_1"', '"new_2"']) expect(fault).toContain(name)
  expect(fault).not.toContain('session_count')
  expect(await bring(ctx, file, { ...from, ignoresRest: true })).toMatchObject({ devices: 1 })
  const map = readColumnMap(['new_1=attributes.one', 'country=attributes.country'])
  expect(await bring(ctx, file, { ...from, map, ignoresRest: true })).toMatchObject({ devices: 0, imported: 1 })
  expect(await usersOf(ctx)).toMatchObject([{ isGuest: true, attributes: { one: '1', country: 'us' } }])
})

test('the export is read as it is downloaded, compressed', async () => {
  const ctx = await createApp()
  const rows = [1, 2].map((number) => ({ identifier: tokens.fcm(number), external_user_id: `user-${number}` }))
  const packed = gzipSync(await readFile(await exportOf(...rows)))
  expect(await bring(ctx, await fileOf(packed, 'csv.gz'), from)).toMatchObject({ lines: 2, devices: 2, refused: 0 })
  expect(await usersOf(ctx)).toMatchObject([{ userId: 'user-1' }, { userId: 'user-2' }])

  const faultOf = async (bytes: Buffer) => bring(ctx, await fileOf(bytes, 'csv.gz'), from).catch(String)
  expect(await faultOf(packed.subarray(0, -20))).toContain('cannot be decompressed')
  expect(await faultOf(Buffer.concat([packed.subarray(0, 10), Buffer.alloc(50, 7)]))).toContain(
    'cannot be decompressed',
  )
  expect(await faultOf(Buffer.from('PK\x03\x04 and more'))).toContain('ZIP')
})
