import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { effort } from '../helpers/runner/effort.ts'
import { until } from '../helpers/runner/until.ts'
import { prepareService } from '../helpers/service/prepared-folder.ts'
import { caller } from '../helpers/service/test-server.ts'

const perRound = 60

const received = new Map<string, Set<string>>()
/** Calls without an answer: the service is killed while it waits for them. */
const held: ServerResponse[] = []
let answersLeft = 0
const receiver = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => (text += chunk))
  request.on('end', () => {
    const { id, data } = JSON.parse(text)
    received.set(data.userId, (received.get(data.userId) ?? new Set()).add(id))
    if (answersLeft-- > 0) response.writeHead(204).end()
    else held.push(response)
  })
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
afterAll(() => {
  receiver.closeAllConnections()
  receiver.close()
})

const service = await prepareService('peyk-webhooks-')
const start = () =>
  service.start({ PEYK_TEST_DURATIONS: JSON.stringify({ webhookLeaseMs: 3_000, webhookRetryMs: 1_000 }) })

it('kill -9 loses no call of a webhook, and repeats come under the same id', async () => {
  await start()
  const call = caller(service.baseUrl, (await service.readDemo()).accessToken)
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  expect((await call('POST', '/api/webhooks', { url, events: ['user.new'] })).status).toBe(200)
  // On a busy machine some of a crowd are told to come again.
  const register = (userId: string) =>
    until(
      () => call('POST', '/api/installations', { deviceType: 'web', userId }).then(({ status }) => status),
      (status) => status === 200,
    )
  for (let round = 0; round < effort.kills; round++) {
    held.length = 0
    answersLeft = perRound / 2
    const users = Array.from({ length: perRound }, (_, index) => `told-${round}-${index}`)
    await Promise.all(users.map(register))
    await until(
      () => held.length,
      (count) => count > 0,
    )
    await service.end('SIGKILL')
    answersLeft = Number.POSITIVE_INFINITY
    await start()
  }
  await until(
    () => received.size,
    (count) => count === effort.kills * perRound,
  )
  expect([...received.values()].filter((ids) => ids.size !== 1)).toEqual([])
})
