import type { Context } from '@peyk/server/base/context.ts'
import { addCredentials } from '@peyk/server/features/deliveries/dry-run/preview.test-support.ts'
import { createTestApp, createTestToken } from '../../helpers/database/test-store.ts'
import { type Device, registerDevice } from '../../helpers/devices.ts'
import { createTestMember } from '../../helpers/panel-caller.ts'
import { caller } from '../../helpers/service/test-server.ts'

export interface FuzzedApp {
  label: string
  token: string
  clientKey: string
  /** Of an admin who is signed in to the panel. */
  sessionKey: string
}

/** What the generators know of the service: a request that names nothing that exists does not get far. */
export interface World {
  baseUrl: string
  mqttPort: number
  app: FuzzedApp
  /** Another app, whose settings are fuzzed: of the first one they stay, else soon nothing would be let in there. */
  settingsApp: FuzzedApp
  /** A third one with a provider, for dry runs only: its messages are written and never sent. */
  dryApp: FuzzedApp
  devices: Device[]
  messageIds: string[]
  segmentId: string
  trackId: string
}

const deviceCount = 60

/** Attributes that a template may stumble over. */
const hostileAttributes: Record<string, unknown> = {
  from: 2 ** 53,
  to: 2 ** 53 + 2,
  many: 1_000_000_000,
  negative: -1,
  long: 'x'.repeat(4_000),
  list: Array.from({ length: 300 }, (_, index) => `item ${index}`),
  when: '2026-02-30T25:61:61Z',
  template: '{{ user.template }}{% for i in (1..9) %}',
  size: 5,
  first: 'first',
  constructor: 'c',
  firstName: 'Sara',
}

/** `ctx` is an app of the service at `baseUrl`, with its database. */
export async function prepareWorld(
  ctx: Context,
  { baseUrl, mqttPort }: { baseUrl: string; mqttPort: number },
): Promise<World> {
  const app = await openApp(ctx)
  const settingsApp = await openApp(await createTestApp(ctx.store))
  const dryContext = await createTestApp(ctx.store)
  const dryApp = await openApp(dryContext)
  await addCredentials(dryContext, 'fcm')
  const call = caller(baseUrl, app.token)
  const must = async (asked: ReturnType<typeof call>) => {
    const { status, body } = await asked
    if (status !== 200) throw new Error(`the fuzzed app could not be prepared: ${status} ${JSON.stringify(body)}`)
    return body
  }
  const devices: Device[] = []
  for (let number = 0; number < deviceCount; number++) {
    const body = { userId: `fuzzed-${number % 40}`, deviceType: ['android', 'ios', 'web'][number % 3] as string }
    devices.push(await registerDevice(caller(baseUrl, app.clientKey), body))
  }
  for (const [asApp, userIds] of [
    [app, ['fuzzed-0', 'fuzzed-1', 'fuzzed-2']],
    [dryApp, ['dry-0', 'dry-1']],
  ] as const) {
    for (const userId of userIds) {
      const deviceToken = `${userId}:APA91b-fuzzed`
      await registerDevice(caller(baseUrl, asApp.clientKey), { userId, deviceType: 'android', deviceToken })
      const attributes = { userId, attributes: hostileAttributes }
      await must(caller(baseUrl, asApp.token)('POST', '/api/installations/attributes', attributes))
    }
  }
  await must(call('PUT', '/api/app', { allowUserMessages: true }))
  const trackId = 'spring'
  await must(call('POST', '/api/campaigns', { trackId, name: 'Spring' }))
  const segment = { all: [{ name: 'deviceType', operator: 'equal_to', value: 'android' }] }
  const { id: segmentId } = await must(call('POST', '/api/segments', { name: 'fuzzed', segment }))
  const messageIds: string[] = []
  for (const user of ['fuzzed-0', 'fuzzed-1', '*'])
    messageIds.push((await must(call('POST', '/api/push/toUsers', { user, content: 'Hello', trackId }))).id)
  await must(call('POST', '/api/installations/track', { userId: 'fuzzed-0', eventName: 'opened', eventData: { a: 1 } }))
  return { baseUrl, mqttPort, app, settingsApp, dryApp, devices, messageIds, segmentId, trackId }
}

async function openApp(ctx: Context): Promise<FuzzedApp> {
  const { key } = await createTestMember(ctx, 'admin')
  // An app keeps one admin at least; this one may be taken away.
  await createTestMember(ctx, 'admin')
  return {
    label: ctx.app.label,
    token: await createTestToken(ctx),
    clientKey: await createTestToken(ctx, ['client']),
    sessionKey: key,
  }
}
