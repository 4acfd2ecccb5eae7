import type { ClientRequest, IncomingMessage } from 'node:http'
import type { PoolAnswer } from '../http-client/pool.ts'
import { describeFault } from './describe-fault.ts'

export interface Exchange {
  /** Ends it now. An answer whose headers are there stays an answer. */
  abandon(detail: string): void
}

/** One HTTP/1.1 request on a connected socket and its answer; calls back once. */
export function exchange(
  request: ClientRequest,
  body: string | Buffer | undefined,
  maxBytes: number,
  done: (answer: PoolAnswer, isReusable: boolean) => void,
): Exchange {
  let response: IncomingMessage | undefined
  let isWritten = false
  let hasEnded = false
  const chunks: Buffer[] = []
  let bytes = 0

  function end(detail: string, isReusable: boolean) {
    if (hasEnded) return
    hasEnded = true
    if (!isReusable) request.destroy()
    if (response) {
      done({ kind: 'answer', status: response.statusCode ?? 0, headers: flatten(response), body: joined() }, isReusable)
    } else {
      done({ kind: isWritten ? 'unclear' : 'not-sent', detail }, isReusable)
    }
  }
  function joined() {
    return Buffer.concat(chunks).toString()
  }

  request.once('socket', () => {
    isWritten = true
  })
  request.on('error', (error) => end(describeFault(error), false))
  request.once('close', () => end('the other side closed the connection', false))
  request.once('upgrade', () => end('the other side switched protocols', false))
  request.once('response', (incoming: IncomingMessage) => {
    response = incoming
    incoming.on('data', (chunk: Buffer) => {
      const fits = chunk.subarray(0, maxBytes - bytes)
      bytes += fits.length
      chunks.push(fits)
      if (bytes >= maxBytes) end('', false)
    })
    incoming.once('end', () => end('', request.shouldKeepAlive && incoming.complete))
    incoming.on('error', (error) => end(describeFault(error), false))
    incoming.once('close', () => end('', false))
  })
  request.end(body)
  return { abandon: (detail) => end(detail, false) }
}

function flatten(response: IncomingMessage): Record<string, string | undefined> {
  const headers: Record<string, string | undefined> = Object.create(null)
  for (const [name, value] of Object.entries(response.headers)) {
    headers[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return headers
}
