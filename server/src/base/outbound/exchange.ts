import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { PoolAnswer } from '../http-client/pool.ts'
import { describeFault } from './describe-fault.ts'

/** Maximum bytes of all headers of one response. */
export const maxHeaderBytes = 16 * 1024
/** Maximum bytes on the socket besides the body: headers, interim responses, and chunk framing. */
const maxOverheadBytes = 64 * 1024
const maxInterimResponses = 2
const maxChunks = 4_096

export interface Exchange {
  /** Ends it now. An answer whose headers are there stays an answer. */
  abandon(detail: string): void
}

/**
 * Sends one HTTP/1.1 request on a connected socket and calls back once. Limits apply to everything received, not only
 * to the body. A response whose body was cut off by a limit still counts as a response.
 */
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
  let received = 0
  let interimResponses = 0
  let socket: Socket | undefined

  function end(detail: string, isReusable: boolean) {
    if (hasEnded) return
    hasEnded = true
    socket?.off('data', count)
    if (!isReusable) request.destroy()
    if (response) {
      done({ kind: 'answer', status: response.statusCode ?? 0, headers: flatten(response), body: joined() }, isReusable)
    } else {
      done({ kind: isWritten ? 'unclear' : 'not-sent', detail }, isReusable)
    }
  }
  function count(part: Buffer) {
    received += part.length
    if (received > maxBytes + maxOverheadBytes) end('the other side sent too much', false)
  }
  function joined() {
    return Buffer.concat(chunks).toString()
  }

  request.once('socket', (given) => {
    isWritten = true
    socket = given.on('data', count)
  })
  request.on('information', () => {
    interimResponses++
    if (interimResponses > maxInterimResponses) end('the other side sent too many interim responses', false)
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
      if (bytes >= maxBytes || chunks.length === maxChunks) end('', false)
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
