import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { stopLater } from '../measure/started.ts'
import type { RunningSimulator } from './simulator.ts'

/**
 * Says to the service what the simulator says, except that FCM is somewhere else, with the same certificate. The service is the one that people
 * start: only where its providers are differs.
 */
export async function startFront(simulator: RunningSimulator, fcmOrigin: string): Promise<string> {
  const { endpoints, ...rest } = simulator.providers
  const providers = {
    ...rest,
    endpoints: { ...endpoints, fcm: fcmOrigin, localOrigins: [...endpoints.localOrigins, fcmOrigin] },
  }
  const server = createServer(async (request, response) => {
    const answer =
      request.url === '/providers'
        ? { status: 200, text: JSON.stringify(providers) }
        : await forward(simulator.url, request).catch((error) => ({ status: 502, text: String(error) }))
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  stopLater(async () => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function forward(url: string, request: IncomingMessage): Promise<{ status: number; text: string }> {
  const sent = await buffer(request)
  const response = await fetch(url + request.url, {
    method: request.method as string,
    ...(sent.length > 0 && { headers: { 'content-type': 'application/json' }, body: sent }),
  })
  return { status: response.status, text: await response.text() }
}
