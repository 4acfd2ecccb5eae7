import { createDelivery } from '@peyk/test/delivery.ts'
import { until } from '@peyk/test/runner/until.ts'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Context } from '#base/context.ts'
import { registerInstallation } from '../../installations/register/register-installation.ts'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { sendToUsers } from '../../messages/send/send-to-users.ts'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import { SharedDevice } from './other-user.test-support.ts'

/** [sending.md#a-device-that-changes-users] Pushes that wait in the memory of a sender while their device changes hands. */

const { providers, createApp, startDispatcher } = await createDelivery({ streams: { fcm: 1 } })

let ctx: Context
let dispatcher: Dispatcher

beforeEach(async () => {
  ctx = await createApp()
  dispatcher = startDispatcher()
})

afterEach(async () => {
  providers.faults.clear()
  await dispatcher.stop()
})

const issueToken = () => providers.tokens.issue('fcm') as string
const pushesTo = (token: string) => providers.record.list({ provider: 'fcm' }).filter((push) => push.token === token)

/** For what this process measures: a push is looked at again when it has waited for a second. */
function letTimePass(ms: number): void {
  const now = performance.now.bind(performance)
  const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + ms)
  onTestFinished(() => later.mockRestore())
}

const message = { content: 'Hello', notification: { title: 'For {{ user.id }}' } }

const sends = {
  personal: async () => ((await sendToUsers(ctx, { user: 'A', ...message })) as { id: string }).id,
  group: async () => (await sendByQuery(ctx, { target: { userId: 'A' }, ...message })).id,
}

describe.each(['personal', 'group'] as const)('a %s push', (kind) => {
  it('that waited for room at the provider is not written after the next login', async () => {
    // As many as the provider's connections carry, and as many again.
    const tokens = Array.from({ length: 20 }, issueToken)
    const devices = await Promise.all(
      tokens.map((deviceToken) => SharedDevice.register(ctx, { userId: 'A', deviceToken })),
    )
    providers.faults.set('fcm', [{ delayMs: 600_000 }])
    const id = await sends[kind]()
    await until(
      () => providers.record.list({ messageId: id }).length,
      (count) => count === 10,
    )
    await Promise.all(devices.map((device, index) => device.logIn(`B-${index}`)))
    letTimePass(1_100)
    // Those that were held are answered now.
    providers.faults.clear()
    for (const device of devices) {
      await until(
        () => device.readDelivery(id),
        (row) => row !== undefined && row.state !== 'queued',
      )
    }
    const rows = await Promise.all(devices.map((device) => device.readDelivery(id)))
    expect(rows.filter((row) => row?.state === 'sent')).toHaveLength(10)
    expect(rows.filter((row) => row?.detail_code === 'other-user')).toHaveLength(10)
    expect(providers.record.list({ messageId: id })).toHaveLength(10)
  })

  it('that was not answered is not repeated after the next login', async () => {
    const token = issueToken()
    const device = await SharedDevice.register(ctx, { userId: 'A', deviceToken: token })
    providers.faults.set('fcm', [{ match: { first: 1 }, then: 'reset' }])
    const id = await sends[kind]()
    await until(
      () => pushesTo(token).length,
      (count) => count === 1,
    )
    await device.logIn('B')
    expect(await device.untilEnded(id)).toMatchObject({ reason: 'refused', detail_code: 'other-user' })
    expect(pushesTo(token)).toHaveLength(1)
  })

  it('is not written to a token that another installation has taken over', async () => {
    const token = issueToken()
    const device = await SharedDevice.register(ctx, { userId: 'A', deviceToken: token })
    providers.faults.set('fcm', [{ match: { first: 1 }, then: 'reset' }])
    const id = await sends[kind]()
    await until(
      () => pushesTo(token).length,
      (count) => count === 1,
    )
    await registerInstallation(ctx, { deviceType: 'android', userId: 'B', isGuest: false, deviceToken: token })
    await device.untilInInbox(id)
    expect(pushesTo(token)).toHaveLength(1)
  })
})
