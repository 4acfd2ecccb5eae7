import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { poll } from '@peyk/test/runner/poll.ts'
import { expect, it, onTestFinished } from 'vitest'
import { followConnections } from './follow-connections.ts'

async function open() {
  const waiting: ServerResponse[] = []
  const server = createServer((request, response) => {
    if (request.url === '/slow') waiting.push(response)
    else response.end('quick')
  }).listen(0, '127.0.0.1')
  const { drain } = followConnections(server)
  await once(server, 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  const { port } = server.address() as { port: number }
  const countConnections = () =>
    new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)))
  return { drain, port, waiting, countConnections, get: (path: string) => fetch(`http://127.0.0.1:${port}${path}`) }
}

it('waits for a request under way and takes others meanwhile', async () => {
  const { drain, waiting, get } = await open()
  const slow = get('/slow')
  await poll(() => waiting.length).toBe(1)
  let isDrained = false
  const drained = drain(Number.POSITIVE_INFINITY).then(() => (isDrained = true))
  expect((await get('/quick')).status).toBe(200)
  expect(isDrained).toBe(false)
  waiting[0]?.end('slow')
  expect(await (await slow).text()).toBe('slow')
  await drained
})

it('cuts what is not done in time', async () => {
  const { drain, port, waiting } = await open()
  const socket = connect(port, '127.0.0.1', () => socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n'))
  await poll(() => waiting.length).toBe(1)
  const closed = once(socket, 'close')
  await drain(100)
  await closed
  expect(socket.destroyed).toBe(true)
})

it('does not wait for connections that are kept open without a request', async () => {
  const { drain, get, countConnections } = await open()
  await (await get('/quick')).text()
  expect(await countConnections()).toBe(1)
  await drain(Number.POSITIVE_INFINITY)
  await poll(countConnections).toBe(0)
})

it('does not wait for connections that nothing was asked on, as browsers open them in advance', async () => {
  const { drain, port, countConnections } = await open()
  const socket = connect(port, '127.0.0.1')
  const closed = once(socket, 'close')
  await poll(countConnections).toBe(1)
  await drain(Number.POSITIVE_INFINITY)
  await closed
  await poll(countConnections).toBe(0)
})
