import { clientIdOf, connectClient, leaveMessage, openConnectionServer } from '@peyk/test/connection.ts'
import { createTestApp, createTestStore, createTestToken } from '@peyk/test/database/test-store.ts'
import { registerDevice } from '@peyk/test/devices.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import { caller } from '@peyk/test/service/test-server.ts'
import { expect, it } from 'vitest'

const store = await createTestStore()
const ctx = await createTestApp(store)
const clientKey = await createTestToken(ctx, ['client'])
let mayDeliver = false
const durations = { PEYK_TEST_DURATIONS: '{"holdEveryMs":100}' }
const { tcpUrl, baseUrl } = await openConnectionServer(store, durations, { mayDeliver: () => mayDeliver })

it('as long as a restore holds everything back, inboxes stay as they are; then they are brought in order', async () => {
  const device = await registerDevice(caller(baseUrl, clientKey), { userId: 'sara' })
  const old = await leaveMessage(ctx, device.id)
  const client = await connectClient(tcpUrl, { clientId: clientIdOf(ctx, device), key: clientKey })
  const fresh = await leaveMessage(ctx, device.id)
  // Whatever was on its way is there when a later request of the same client is answered.
  await client.publishAsync(`app/${ctx.app.label}/track/step/${device.id}`, '{}', { qos: 1 })
  expect(client.received).toEqual([])
  mayDeliver = true
  await poll(() => client.received.map(({ body }) => body.id)).toEqual([old, fresh])
})
