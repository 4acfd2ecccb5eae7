import { clientIdOf, connectClient, createConnectionServerForTest } from '@peyk/test/connection.ts'
import type { Device } from '@peyk/test/devices.ts'
import { until } from '@peyk/test/runner/until.ts'
import { expect, it } from 'vitest'

const service = await createConnectionServerForTest({ PEYK_CONNECTIONS_APP: '2' })
const { ctx, tcpUrl, clientKey, register } = service
const connect = (device: Device) =>
  connectClient(tcpUrl, { clientId: clientIdOf(ctx, device), key: clientKey, protocolVersion: 5 })

it('lets a client take over from itself when the app has no connection left, and nobody else', async () => {
  const [one, two, three] = [await register(), await register(), await register()]
  const first = await connect(one)
  const other = await connect(two)
  await expect(connect(three)).rejects.toMatchObject({ code: 0x97 })

  const second = await connect(one)
  await until(
    () => first.connected,
    (isConnected) => !isConnected,
  )
  expect(second.connected).toBe(true)
  await connect(one)

  await expect(connect(three)).rejects.toMatchObject({ code: 0x97 })
  await expect(connect({ ...one, userId: three.userId })).rejects.toMatchObject({ code: 0x87 })

  await other.endAsync()
  await until(
    () => connect(three).catch(() => undefined),
    (client) => client !== undefined,
  )
  await expect(connect(two)).rejects.toMatchObject({ code: 0x97 })
})
