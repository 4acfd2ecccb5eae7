import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Phones } from '../phones/phones.ts'

const heartbeatMs = 15_000
const maxUnreadBytes = 4 * 1024 * 1024

/**
 * Server-sent events: `phones` with the whole list, then `phone` with each one that changed and `removed` with its id.
 * A reader that does not keep up is cut off; a browser comes back by itself and starts with the whole list.
 */
export function streamPhones(phones: Phones, request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  const send = (event: string, data: unknown) => {
    response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    if (response.writableLength > maxUnreadBytes) response.destroy()
  }
  send('phones', phones.list())
  const stop = phones.watch((change) =>
    change.kind === 'changed' ? send('phone', change.phone) : send('removed', { id: change.id }),
  )
  const heartbeat = setInterval(() => response.write(': still here\n\n'), heartbeatMs)
  const end = () => {
    clearInterval(heartbeat)
    stop()
  }
  response.on('close', end).on('error', end)
  request.on('error', end)
}
