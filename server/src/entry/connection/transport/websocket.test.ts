import { createConnectionServerForTest, upgradeStatus } from '@peyk/test/connection.ts'
import { afterAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'

const service = await createConnectionServerForTest({ PEYK_CONNECTIONS_ADDRESS: '8' })
const origin = 'https://shop.example'
const open: WebSocket[] = []
afterAll(() => {
  for (const socket of open) socket.terminate()
})

/** What the upgrade was answered, the line left open when it was let in. */
function upgrade(): Promise<number> {
  const socket = new WebSocket(`${service.wsUrl}/mqtt`, ['mqtt'], { origin })
  open.push(socket)
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(101))
    socket.once('unexpected-response', (_request, response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    socket.once('error', reject)
  })
}

it('lets in as many of an address as it may have, however many ask at the same moment', async () => {
  const statuses = await Promise.all(Array.from({ length: 40 }, upgrade))
  expect(statuses.filter((status) => status === 101)).toHaveLength(8)
  expect(statuses.filter((status) => status === 429)).toHaveLength(32)
  expect(await upgradeStatus(`${service.wsUrl}/mqtt`, origin)).toBe(429)
})
