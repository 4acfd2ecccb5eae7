import { createServer, type Socket } from 'node:net'
import { listen, openTestPool } from '../host.test-support.ts'
import type { Pool } from '../pool.ts'
import { SETTINGS } from './frames.ts'

export function frame(type: number, flags: number, streamId: number, payload: Buffer | number[] | string = ''): Buffer {
  const body = typeof payload === 'string' ? Buffer.from(payload) : Buffer.from(payload)
  const head = Buffer.alloc(9)
  head.writeUIntBE(body.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(streamId, 5)
  return Buffer.concat([head, body])
}

export const settings = frame(SETTINGS, 0, 0)
/** `:status: 200` as an index into the static table. */
export const ok = [0x88]
export const text = (value: string) => [value.length, ...Buffer.from(value)]

/**
 * Starts a host that sends its settings and responds to the first request with these bytes, in small pieces if asked.
 */
export async function startBareHost(said: Buffer[], bytesAtOnce = Number.POSITIVE_INFINITY): Promise<Pool> {
  const server = createServer((socket) => {
    socket.write(settings)
    let heard = 0
    socket.on('data', (part) => {
      heard += part.length
      if (heard < 100) return
      heard = Number.NEGATIVE_INFINITY
      void say(socket, Buffer.concat(said), bytesAtOnce)
    })
  })
  const origin = `http://127.0.0.1:${await listen(server)}`
  return openTestPool({ origin, maxConnections: 1 })
}

async function say(socket: Socket, bytes: Buffer, bytesAtOnce: number): Promise<void> {
  socket.setNoDelay(true)
  for (let at = 0; at < bytes.length && !socket.destroyed; at += bytesAtOnce) {
    socket.write(bytes.subarray(at, at + bytesAtOnce))
    await new Promise((resolve) => setImmediate(resolve))
  }
}
