import { clientIdOf, connectRaw, leaveMessage, openConnectionServer } from '@peyk/test/connection.ts'
import { createTestApp, createTestStore, createTestToken } from '@peyk/test/database/test-store.ts'
import { registerDevice } from '@peyk/test/devices.ts'
import { until } from '@peyk/test/runner/until.ts'
import { caller } from '@peyk/test/service/test-server.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import type { Store } from '#base/store/store.ts'

it('what was sent over a connection that has ended stays known, however long it takes to write that down', async () => {
  const store = await createTestStore()
  const written = Promise.withResolvers<void>()
  let looks = 0
  const slow: Store = {
    ...store,
    query: async (statement, name) => {
      if (name === 'end-connections') await written.promise
      if (name === 'list-held-connections') looks++
      return store.query(statement, name)
    },
  }
  const { port, baseUrl } = await openConnectionServer(slow, { PEYK_TEST_DURATIONS: '{"holdEveryMs":10}' })
  const ctx = await createTestApp(store)
  const clientKey = await createTestToken(ctx, ['client'])
  const device = await registerDevice(caller(baseUrl, clientKey), { userId: 'sara' })
  const id = await leaveMessage(ctx, device.id)

  const raw = await connectRaw(port)
  raw.send({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: 4,
    clientId: clientIdOf(ctx, device),
    clean: false,
    keepalive: 30,
    username: clientKey,
    password: Buffer.from(clientKey),
  })
  await until(
    () => raw.find('publish'),
    (packet) => packet !== undefined,
  )
  raw.socket.destroy()
  const readRow = async () => {
    const [row] = await store.query<{ is_held: boolean; unacknowledged: string[] | null }>(sql`
      select exists (select from connection_holders h where h.holder = c.holder) as is_held, unacknowledged
      from connections c where app_id = ${ctx.app.id}`)
    return row
  }
  // The upkeep has looked several times at what this process holds.
  const before = looks
  await until(
    () => looks,
    (count) => count > before + 5,
  )
  expect(await readRow()).toMatchObject({ is_held: true })
  written.resolve()
  expect(await until(readRow, (row) => row?.is_held === false)).toEqual({ is_held: false, unacknowledged: [id] })
})
