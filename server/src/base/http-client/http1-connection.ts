import { Agent, request as openRequest } from 'node:http'
import type { Socket } from 'node:net'
import { describeFault } from '../outbound/describe-fault.ts'
import { type Exchange, exchange, maxHeaderBytes } from '../outbound/exchange.ts'
import type { Call } from './call.ts'
import { type Connection, type ConnectionOwner, maxAnswerBytes } from './connection.ts'

/**
 * A socket to a host that only speaks HTTP/1.1: one request at a time, kept open between them.
 *
 *   open ──send──▶ busy ──answer, may be kept──▶ open
 *                    └──anything else──▶ left ──socket closed──▶ ended
 */
export class Http1Connection implements Connection {
  hasAnswered = false
  private readonly socket: Socket
  private readonly origin: URL
  private readonly owner: ConnectionOwner
  private readonly agent: Agent
  private current: Exchange | undefined
  private hasLeft = false
  private usedTick: number

  constructor(socket: Socket, origin: URL, owner: ConnectionOwner) {
    this.socket = socket
    this.origin = origin
    this.owner = owner
    this.usedTick = owner.tick
    this.agent = agentOf(socket)
    socket.once('close', () => {
      this.current?.abandon('the connection was lost')
      this.leave('the other side closed the connection')
      this.agent.destroy()
      owner.ended(this)
    })
  }

  get room(): number {
    return this.hasLeft || this.current ? 0 : 1
  }

  get expectedRoom(): number {
    return this.room
  }

  send(call: Call): boolean {
    if (this.socket.destroyed || !this.socket.writable) {
      this.leave('the other side closed the connection')
      return false
    }
    const { method, path, headers, body } = call.request
    try {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
      const request = openRequest({
        agent: this.agent,
        maxHeaderSize: maxHeaderBytes,
        method,
        path,
        headers: { ...length, ...headers, host: this.origin.host },
      })
      this.usedTick = this.owner.tick
      this.current = exchange(request, body, maxAnswerBytes, (answer, isReusable) => {
        this.current = undefined
        this.usedTick = this.owner.tick
        if (answer.kind === 'answer' && !this.hasAnswered) {
          this.hasAnswered = true
          this.owner.proven()
        }
        call.settle(answer)
        if (!isReusable) this.leave(answer.kind === 'answer' ? undefined : answer.detail)
        if (this.hasLeft) this.socket.destroy()
        else this.owner.freed()
      })
    } catch (error) {
      call.settle({ kind: 'not-sent', detail: `the request is not valid: ${describeFault(error)}` })
    }
    return true
  }

  sweep(): void {
    const { tick, patience } = this.owner
    if (this.current) {
      if (tick - this.usedTick > patience.request) this.current.abandon('no answer in time')
    } else if (tick - this.usedTick > patience.idle) this.drain()
  }

  drain(): void {
    this.leave()
    if (!this.current) this.socket.destroy()
  }

  private leave(fault?: string): void {
    if (this.hasLeft) return
    this.hasLeft = true
    this.owner.left(this, fault)
  }
}

/** Node's own agent does the keeping alive; it gets this one socket and never another. */
function agentOf(socket: Socket): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let isGiven = false
  agent.createConnection = (_options, callback) => {
    if (!isGiven) {
      isGiven = true
      return socket
    }
    callback?.(new Error('the connection was closed'), socket)
    return undefined
  }
  return agent
}
