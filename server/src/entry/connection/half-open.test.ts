import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import {
  clientIdOf,
  connectClient,
  createConnectionServerForTest,
  leaveMessage,
  RawClient,
  readDelivery,
} from '@peyk/test/connection.ts'
import { isThorough } from '@peyk/test/runner/effort.ts'
import { until } from '@peyk/test/runner/until.ts'
import { expect, it, onTestFinished } from 'vitest'

const { ctx, port, tcpUrl, baseUrl, clientKey, register, call } = await createConnectionServerForTest()
const keepaliveSeconds = 2

/** A line that can fall silent without anybody closing it, as when a phone loses its network. */
async function openSilentLine() {
  const sockets: Socket[] = []
  let isSilent = false
  const server = createServer((client) => {
    const upstream = connect({ host: '127.0.0.1', port })
    sockets.push(client, upstream)
    client.on('data', (bytes) => isSilent || upstream.write(bytes))
    upstream.on('data', (bytes) => isSilent || client.write(bytes))
    for (const socket of sockets) socket.on('error', () => undefined)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const client = connect({ host: '127.0.0.1', port: (server.address() as { port: number }).port })
  sockets.push(client)
  return {
    client: new RawClient(client),
    fallSilent: () => {
      isSilent = true
    },
  }
}

it.runIf(isThorough)(
  'a line that fell silent without a word is noticed after one and a half keepalives, and nothing is lost',
  async () => {
    const device = await register()
    const { client, fallSilent } = await openSilentLine()
    // Nothing is heard of it before this, and nothing after its CONNECT.
    const startedAt = performance.now()
    client.send({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clientId: clientIdOf(ctx, device),
      clean: false,
      keepalive: keepaliveSeconds,
      username: clientKey,
    })
    await until(
      () => client.find('connack'),
      (packet) => packet !== undefined,
    )
    const isConnected = async () => (await call('GET', `/api/installations/fetchById/${device.id}`)).body.connected
    expect(await isConnected()).toBe(true)
    fallSilent()
    const id = await leaveMessage(ctx, device.id)
    await until(isConnected, (is) => !is)
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(keepaliveSeconds * 1_500)
    const metrics = await fetch(`${baseUrl}/metrics`).then((answer) => answer.text())
    expect(metrics).toContain('peyk_connection_closings_total{reason="keepalive-timeout"} 1')
    expect(await readDelivery(ctx, id)).toMatchObject({ state: 'queued', in_inbox: true })

    const again = await connectClient(tcpUrl, { clientId: clientIdOf(ctx, device), key: clientKey })
    await until(
      () => again.received.length,
      (count) => count === 1,
    )
    expect(again.received).toMatchObject([{ body: { id }, dup: true }])
    await until(
      () => readDelivery(ctx, id),
      (row) => row?.state === 'delivered',
    )
  },
)
