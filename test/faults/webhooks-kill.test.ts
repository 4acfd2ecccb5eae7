import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { freePort, ServiceProcess } from '../helpers/service-process.ts'
import { caller } from '../helpers/test-server.ts'

const kills = 2
const perRound = 60

const received = new Map<string, Set<string>>()
const receiver = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => (text += chunk))
  request.on('end', () => {
    const { id, data } = JSON.parse(text)
    received.set(data.userId, (received.get(data.userId) ?? new Set()).add(id))
    setTimeout(() => response.writeHead(204).end(), 20)
  })
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const service = new ServiceProcess(await mkdtemp(join(tmpdir(), 'peyk-webhooks-')), await freePort())

afterAll(async () => {
  await service.end('SIGTERM')
  receiver.closeAllConnections()
  receiver.close()
  await rm(service.dataFolder, { recursive: true, force: true })
})

it('kill -9 loses no call of a webhook, and repeats come under the same id', async () => {
  await service.start()
  const call = caller(service.baseUrl, (await service.readDemo()).accessToken)
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  expect((await call('POST', '/api/webhooks', { url, events: ['user.new'] })).status).toBe(200)
  for (let round = 0; round < kills; round++) {
    const users = Array.from({ length: perRound }, (_, index) => `told-${round}-${index}`)
    await Promise.all(users.map((userId) => call('POST', '/api/installations', { deviceType: 'web', userId })))
    await expect.poll(() => received.size, { timeout: 60_000 }).toBeGreaterThan(round * perRound)
    await service.end('SIGKILL')
    await service.start()
  }
  await expect.poll(() => received.size, { timeout: 90_000 }).toBe(kills * perRound)
  expect([...received.values()].filter((ids) => ids.size !== 1)).toEqual([])
}, 240_000)
