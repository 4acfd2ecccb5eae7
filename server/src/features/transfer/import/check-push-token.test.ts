import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { describe, expect, test } from 'vitest'
import { bring, createFiles, devicesOf, refusedOf, tokens, usersOf } from './import.test-support.ts'

const store = await createTestStore()
const { fileOf, ndjson } = await createFiles()

describe('a push token', () => {
  const subscription = {
    endpoint: 'https://push.example/1',
    keys: { p256dh: Buffer.concat([Buffer.of(4), Buffer.alloc(64, 7)]).toString('base64url'), auth: 'A'.repeat(22) },
  }
  const { endpoint, keys } = subscription

  test.each([
    ['android', tokens.fcm(1)],
    ['android', 'fcm-token_1:x'],
    ['Android', tokens.fcm(2)],
    ['ios', tokens.apns(1)],
    ['ios', 'AB'.repeat(32)],
    ['ios', tokens.fcm(3)],
    ['web', JSON.stringify(subscription)],
    ['web', subscription],
    ['web', tokens.fcm(4)],
    ['tizen', tokens.fcm(5)],
    ['macos', tokens.apns(2)],
  ])('of the type %s may be %j', async (deviceType, deviceToken) => {
    const ctx = await createTestApp(store)
    expect(await bring(ctx, await ndjson({ deviceType, deviceToken }))).toMatchObject({ devices: 1, refused: 0 })
  })

  test.each([
    ['android', 'sara@example.com', 'FCM'],
    ['android', '+4915112345678', 'FCM'],
    ['android', '4915112345678', 'FCM'],
    ['android', 'https://fcm.googleapis.com/fcm/send/x', 'FCM'],
    ['android', 'fcm.googleapis.com/fcm/send/x', 'FCM'],
    ['android', 'two words', 'FCM'],
    ['android', 'null', 'FCM'],
    ['android', 'None', 'FCM'],
    ['ios', 'null', 'hexadecimal'],
    ['android', tokens.apns(1), 'APNs'],
    ['android', subscription, 'FCM'],
    ['ios', 'sara@example.com', 'hexadecimal'],
    ['ios', 'apns-token', 'hexadecimal'],
    ['ios', 'ab'.repeat(31), 'hexadecimal'],
    ['web', endpoint, 'endpoint'],
    ['web', '{"endpoint"', 'endpoint'],
    ['web', { endpoint }, 'p256dh'],
    ['web', { endpoint, keys: { ...keys, auth: 'short' } }, 'auth'],
    ['web', { endpoint: 'push.example', keys }, 'endpoint'],
    ['tizen', 'sara@example.com', 'push token'],
    ['other:tv', '+4915112345678', 'push token'],
    ['11', tokens.fcm(1), '"deviceType"'],
    ['', tokens.fcm(1), '"deviceType"'],
    ['android', '', '"deviceToken" is required'],
    ['android', 'disabled', '"deviceToken" is required'],
  ])('of the type %s may not be %j', async (deviceType, deviceToken, why) => {
    const ctx = await createTestApp(store)
    for (const line of [{ deviceType, deviceToken }, { installations: [{ deviceType, deviceToken }] }]) {
      const file = await ndjson({ userId: 'sara', tags: ['vip'], ...line })
      const { refusedFile, ...counts } = await bring(ctx, file)
      expect(counts).toMatchObject({ devices: 0, refused: 1 })
      expect(await refusedOf(refusedFile)).toEqual([{ line: 1, why: expect.stringContaining(why) }])
    }
    expect(await usersOf(ctx)).toEqual([])
  })

  test('of a browser may come in three columns', async () => {
    const ctx = await createTestApp(store)
    const file = await fileOf(
      [
        'deviceType,deviceToken,webAuth,webP256dh',
        `web,${endpoint},${keys.auth},${keys.p256dh}`,
        `web,https://push.example/2,${keys.auth},`,
      ].join('\n'),
    )
    const { refusedFile, ...counts } = await bring(ctx, file)
    expect(counts).toMatchObject({ devices: 1, refused: 1 })
    expect(await refusedOf(refusedFile)).toMatchObject([{ line: 3, why: expect.stringContaining('p256dh') }])
    const [device] = await devicesOf(ctx)
    expect(JSON.parse(device?.deviceToken as string)).toEqual(subscription)
  })
})

test('with --device-type every other value is refused', async () => {
  const ctx = await createTestApp(store)
  const lines = ['1', '0', '11', '14', '5', 'android', ''].map(
    (deviceType, index) => `${deviceType},${deviceType === '0' ? tokens.apns(1) : tokens.fcm(index)}`,
  )
  const file = await fileOf(['deviceType,deviceToken', ...lines].join('\n'))
  const deviceTypes = new Map([
    ['0', 'ios'],
    ['1', 'android'],
  ])
  const { refusedFile, ...counts } = await bring(ctx, file, { deviceTypes })
  expect(counts).toMatchObject({ lines: 7, devices: 2, refused: 5 })
  expect((await refusedOf(refusedFile)).map(({ line }) => line)).toEqual([4, 5, 6, 7, 8])
})
