import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Server as TlsServer } from 'node:tls'

const pollMs = 20

/**
 * Follows the connections of the server. `drain` waits until no request is under way, and cuts off the rest after the
 * limit. `endStreams` ends responses that never end on their own, including those that start meanwhile.
 */
export function followConnections(server: Server): {
  drain(limitMs: number, endStreams?: () => void): Promise<void>
} {
  // Browsers open connections that they may never use, and Node does not count these as idle. WebSockets are among them,
  // too: whoever opened them says goodbye to them.
  const silent = new Set<Socket>()
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  server.on('request', ({ socket }) => silent.delete(socket))

  return {
    drain: async (limitMs, endStreams) => {
      for (let waitedMs = 0; waitedMs < limitMs; waitedMs += pollMs) {
        endStreams?.()
        server.closeIdleConnections()
        if ((await countConnections(server)) <= silent.size) break
        await sleep(pollMs)
      }
      server.closeAllConnections()
    },
  }
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
}
