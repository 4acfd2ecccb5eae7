import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const pollMs = 20

/** Waits until no request is under way, while the server still listens; after the limit what is left is cut. */
export async function drainConnections(server: Server, limitMs: number): Promise<void> {
  for (let waitedMs = 0; waitedMs < limitMs; waitedMs += pollMs) {
    server.closeIdleConnections()
    if ((await countConnections(server)) === 0) return
    await sleep(pollMs)
  }
  server.closeAllConnections()
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
}
