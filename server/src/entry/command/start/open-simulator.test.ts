import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import type { Config } from '../../../base/config.ts'
import { createLogger } from '../../../base/log.ts'
import { openSimulator } from './open-simulator.ts'

it('a simulator that closes connections when they have been idle is not taken for one that is gone', async () => {
  const used = new Set<Socket>()
  const answers: Record<string, unknown> = {
    '/providers': { endpoints: {}, credentials: { apns: {}, sms: {} } },
    '/service': {},
    '/phones': [{}],
  }
  const server = createServer((request, response) => {
    if (used.has(request.socket)) return void request.socket.destroy()
    used.add(request.socket)
    response.end(JSON.stringify(answers[request.url as string]))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const simulatorUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const simulator = await openSimulator(
    { simulatorUrl } as Config,
    createLogger({ level: 'silent', isTerminal: false }),
  )
  await simulator.useService({ baseUrl: 'http://127.0.0.1:1', clientKey: 'x', mqttUrl: 'mqtt://127.0.0.1:1' })
  expect(used.size).toBe(3)
})
