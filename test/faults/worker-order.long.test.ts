import { sendToUsers } from '@peyk/server/features/messages/send/send-to-users.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { createConnectionServerForTest, type TestClient } from '../helpers/connection.ts'
import { openDatabaseProxy } from '../helpers/database/database-proxy.ts'
import { effort } from '../helpers/runner/effort.ts'
import { until } from '../helpers/runner/until.ts'
import { connectAll, env, openProcess, startWorker } from './several-processes.ts'

const living = await createConnectionServerForTest(env)
const { ctx, store, clientKey, register } = living

it('a worker that dies lets no later message pass those that it had in hand', async () => {
  const device = await register()
  const [client] = (await connectAll(living, [device], { app: ctx, key: clientKey })) as [TestClient]
  let sent = 0
  const send = () => sendToUsers(ctx, { user: device.userId, content: `${sent++}` })
  for (let kill = 0; kill < effort.workerKills; kill++) {
    const proxy = await openDatabaseProxy(store.url)
    const worker = startWorker(openProcess(proxy.url))
    for (let count = 0; count <= kill % 3; count++) await send()
    await until(
      () => store.query(sql`select from delivery_batches where app_id = ${ctx.app.id} and lease_holder is not null`),
      (taken) => taken.length > 0 || client.received.length === sent,
    )
    proxy.cut()
    void worker.stop()
    const next = startWorker(openProcess(store.url))
    for (let count = 0; count < 5; count++) await send()
    await until(
      () => client.received.length,
      (count) => count >= sent,
    )
    await next.stop()
  }
  const contents = new Set(client.received.map(({ body }) => body.content))
  expect([...contents]).toEqual(Array.from({ length: sent }, (_, index) => `${index}`))
})
