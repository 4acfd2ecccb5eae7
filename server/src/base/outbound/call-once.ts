import { request as openRequest } from 'node:http'
import type { PoolAnswer } from '../http-client/pool.ts'
import { noteAnswer } from '../trace/note-answer.ts'
import { isTracing } from '../trace/tracing.ts'
import { connectSocket } from './connect-socket.ts'
import { describeFault } from './describe-fault.ts'
import { type Exchange, exchange, maxHeaderBytes } from './exchange.ts'
import { refuseInTransaction } from './refuse-in-transaction.ts'

export interface OneCall {
  method: 'POST' | 'GET' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Readonly<Record<string, string>>
  body?: string | Buffer
  /** Where to connect: what checkOutbound chose. */
  address?: string
  /** A certificate that is trusted besides the usual ones. */
  ca?: string
  /** Origins that may be called without TLS: the simulator's. */
  localOrigins?: readonly string[]
  /** For the whole: connecting, asking, and the answer's last byte. */
  timeoutMs?: number
  maxBytes?: number
}

/** One request on a connection of its own, over HTTP/1.1. Redirects are answers like any other. Throws only within a transaction. */
export async function callOnce(url: URL | string, call: OneCall): Promise<PoolAnswer> {
  refuseInTransaction()
  const target = URL.parse(url.toString())
  if (!target) return { kind: 'not-sent', detail: 'the URL cannot be read' }
  const isAllowed =
    target.protocol === 'https:' || (target.protocol === 'http:' && (call.localOrigins ?? []).includes(target.origin))
  if (!isAllowed) return { kind: 'not-sent', detail: 'the URL must begin with https://' }
  const timeoutMs = call.timeoutMs ?? 15_000

  const answered = new Promise<PoolAnswer>((resolve) => {
    let underWay: Exchange | undefined
    const timer = setTimeout(() => {
      if (underWay) underWay.abandon(`no answer within ${timeoutMs / 1000} s`)
      else connecting.cancel(`no connection within ${timeoutMs / 1000} s`)
    }, timeoutMs)
    const end = (answer: PoolAnswer) => {
      clearTimeout(timer)
      resolve(answer)
    }
    const destination = { url: target, protocols: ['http/1.1'], ...pick(call) }
    const connecting = connectSocket(destination, timeoutMs, (socket, fault) => {
      if (!socket) return end({ kind: 'not-sent', detail: fault })
      try {
        const request = openRequest({
          createConnection: () => socket,
          maxHeaderSize: maxHeaderBytes,
          method: call.method,
          path: target.pathname + target.search,
          headers: {
            ...call.headers,
            host: target.host,
            ...(call.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(call.body)) }),
          },
        })
        underWay = exchange(request, call.body, call.maxBytes ?? 64 * 1024, (answer) => {
          socket.destroy()
          end(answer)
        })
      } catch (error) {
        socket.destroy()
        end({ kind: 'not-sent', detail: `the request is not valid: ${describeFault(error)}` })
      }
    })
  })
  return isTracing() ? noteAnswer(target, call.method, answered) : answered
}

function pick({ address, ca }: OneCall) {
  return { ...(address === undefined ? {} : { address }), ...(ca === undefined ? {} : { ca }) }
}
