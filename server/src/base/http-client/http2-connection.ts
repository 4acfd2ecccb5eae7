import { type ClientHttp2Session, type ClientHttp2Stream, constants, type IncomingHttpHeaders } from 'node:http2'
import type { Socket } from 'node:net'
import { describeFault } from '../outbound/describe-fault.ts'
import { type Call, CallList } from './call.ts'
import { type Connection, type ConnectionOwner, maxAnswerBytes, type Patience } from './connection.ts'
import { endCodeName, RequestHeaders, streamLimit } from './http2-frames.ts'
import type { PoolAnswer } from './pool.ts'

const endStreamFlag = constants.NGHTTP2_FLAG_END_STREAM
const withBody = { endStream: false }
const withoutBody = { endStream: true }

/** So that listeners need no closure per request: the stream knows its call. */
interface CallStream extends ClientHttp2Stream {
  call: Call
  line: Http2Connection
}

/**
 * One HTTP/2 session, from its first SETTINGS on.
 *
 *   open ──GOAWAY, idle, out of stream ids──▶ draining ──last request ended──▶ closing ──socket closed──▶ ended
 *     │                                          │                                │ too slow: cut            ▲
 *     └──────── socket lost, PING unanswered ────┴────────────────────────────────┴──────────────────────────┘
 *
 * A request ends once: at its stream's `close`, at its deadline, when its body is full, or with the connection.
 */
export class Http2Connection implements Connection {
  hasAnswered = false
  private readonly session: ClientHttp2Session
  private readonly socket: Socket
  private readonly owner: ConnectionOwner
  private readonly headers: RequestHeaders
  private readonly calls = new CallList()
  private state: 'open' | 'draining' | 'ended' = 'open'
  private limit: number
  /** Before the first 200, when the host wants one request at a time until then. */
  private isOnProbation: boolean
  /** What GOAWAY said was the last stream that may have been processed. */
  private lastStreamId = Number.POSITIVE_INFINITY
  private goawayCode = 0
  private fault = 'the connection was lost'
  private heardTick: number
  private usedTick: number
  private pingTick: number | undefined

  constructor(session: ClientHttp2Session, socket: Socket, origin: URL, isCautious: boolean, owner: ConnectionOwner) {
    this.session = session
    this.socket = socket
    this.headers = new RequestHeaders(origin)
    this.owner = owner
    this.isOnProbation = isCautious
    this.limit = streamLimit(session)
    this.heardTick = owner.tick
    this.usedTick = owner.tick
    session.on('remoteSettings', () => {
      this.limit = streamLimit(session)
      this.heard()
      if (this.room > 0) owner.freed()
    })
    session.on('goaway', (code, lastStreamId) => {
      this.lastStreamId = Math.min(this.lastStreamId, lastStreamId)
      this.goawayCode = code
      // A host that took requests and says goodbye in order has done nothing wrong.
      const isOrderly = code === 0 && lastStreamId > 0 && this.calls.length > 0
      this.leave(isOrderly ? undefined : `the other side ended the connection: ${endCodeName(code)}`)
    })
    session.on('error', (error) => {
      this.fault = describeFault(error)
      this.leave(this.fault)
    })
    session.on('close', () => this.end())
  }

  get room(): number {
    if (this.state !== 'open') return 0
    return (this.isOnProbation ? Math.min(1, this.limit) : this.limit) - this.calls.length
  }

  get expectedRoom(): number {
    return this.state === 'open' ? this.limit - this.calls.length : 0
  }

  send(call: Call): boolean {
    if (this.session.closed || this.session.destroyed) {
      this.leave(this.fault)
      return false
    }
    const { body } = call.request
    let stream: CallStream
    try {
      const headers = this.headers.write(call.request)
      stream = this.session.request(headers, body === undefined ? withoutBody : withBody) as CallStream
    } catch (error) {
      if (this.session.closed || this.session.destroyed) {
        this.leave(this.fault)
        return false
      }
      call.settle({ kind: 'not-sent', detail: `the request is not valid: ${describeFault(error)}` })
      return true
    }
    stream.call = call
    stream.line = this
    stream.on('response', onResponse)
    stream.on('error', ignore)
    stream.on('close', onClose)
    if (body !== undefined) stream.end(body)
    call.stream = stream
    call.sinceTick = this.owner.tick
    this.calls.push(call)
    if (stream.id === undefined) this.leave('the connection is used up')
    return true
  }

  /** The stream of a call has closed, or is to be closed now with `detail` as the reason. */
  finish(call: Call, stream: ClientHttp2Stream, detail?: string): void {
    if (call.stream !== stream) return
    call.stream = undefined
    this.calls.remove(call)
    this.usedTick = this.owner.tick
    if (detail !== undefined && !stream.closed) stream.close(constants.NGHTTP2_CANCEL)
    if (call.status === 0) call.settle(this.unanswered(stream, detail))
    else this.answer(call)
    if (this.state === 'open') this.owner.freed()
    else if (this.calls.length === 0) this.session.close()
  }

  heard(): void {
    this.heardTick = this.owner.tick
  }

  sweep(): void {
    const { tick, patience } = this.owner
    for (
      let call = this.calls.first;
      call?.stream && tick - call.sinceTick > patience.request;
      call = this.calls.first
    ) {
      this.finish(call, call.stream, 'no answer in time')
    }
    if (this.pingTick !== undefined && tick - this.pingTick > patience.pong) this.cut('no answer to a ping')
    else if (this.state === 'open') this.sweepOpen(tick, patience)
    else if (this.calls.length === 0 && tick - this.usedTick > patience.linger) this.socket.destroy()
  }

  drain(): void {
    this.leave()
    if (this.calls.length === 0) this.session.close()
  }

  private sweepOpen(tick: number, patience: Patience): void {
    const isIdle = this.calls.length === 0
    if (isIdle && tick - this.usedTick > patience.idle) this.drain()
    else if (tick - this.heardTick > (isIdle ? patience.ping * 4 : patience.ping)) this.ping()
  }

  private answer(call: Call): void {
    if (call.status === 200) this.isOnProbation = false
    if (!this.hasAnswered) {
      this.hasAnswered = true
      this.owner.proven()
    }
    call.settle({ kind: 'answer', status: call.status, headers: flatHeaders(call), body: bodyText(call) })
  }

  private unanswered(stream: ClientHttp2Stream, detail: string | undefined): PoolAnswer {
    const { id, rstCode } = stream
    const wasRefused = rstCode === constants.NGHTTP2_REFUSED_STREAM && this.goawayCode !== rstCode
    if (id === undefined || id > this.lastStreamId || wasRefused) {
      return { kind: 'not-sent', detail: 'the other side did not take the request' }
    }
    if (detail !== undefined) return { kind: 'unclear', detail }
    const wasReset = rstCode !== 0 && !this.session.destroyed
    return { kind: 'unclear', detail: wasReset ? `the other side said ${endCodeName(rstCode)}` : this.fault }
  }

  private ping(): void {
    if (this.session.destroyed || this.session.closed || this.pingTick !== undefined) return
    this.pingTick = this.owner.tick
    this.session.ping((error) => {
      this.pingTick = undefined
      if (!error) this.heard()
    })
  }

  private cut(detail: string): void {
    this.fault = detail
    this.leave(detail)
    this.endCalls(detail)
    this.session.destroy()
    this.socket.destroy()
  }

  private endCalls(detail: string): void {
    for (let call = this.calls.first; call?.stream; call = this.calls.first) this.finish(call, call.stream, detail)
  }

  private leave(fault?: string): void {
    if (this.state !== 'open') return
    this.state = 'draining'
    this.usedTick = this.owner.tick
    this.owner.left(this, fault)
  }

  private end(): void {
    if (this.state === 'ended') return
    this.leave(this.fault)
    this.endCalls(this.fault)
    this.state = 'ended'
    this.owner.ended(this)
  }
}

function onResponse(
  this: ClientHttp2Stream,
  headers: IncomingHttpHeaders & { ':status'?: number },
  flags: number,
): void {
  const { call, line } = this as CallStream
  if (call.status !== 0) return
  call.status = headers[':status'] ?? 0
  call.headers = headers
  line.heard()
  if ((flags & endStreamFlag) === 0) this.on('data', onData)
}

function onData(this: ClientHttp2Stream, chunk: Buffer): void {
  const { call, line } = this as CallStream
  if (call.stream !== this) return
  line.heard()
  const fits = call.bytes + chunk.length <= maxAnswerBytes ? chunk : chunk.subarray(0, maxAnswerBytes - call.bytes)
  call.bytes += fits.length
  if (call.chunks) call.chunks.push(fits)
  else call.chunks = [fits]
  if (call.bytes >= maxAnswerBytes) line.finish(call, this, 'the answer is too long')
}

function onClose(this: ClientHttp2Stream): void {
  const { call, line } = this as CallStream
  line.finish(call, this)
}

function ignore(): void {}

function bodyText({ chunks }: Call): string {
  if (chunks === undefined) return ''
  return (chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString()
}

/** Of all headers only cookies come as a list. */
function flatHeaders(call: Call): Record<string, string | undefined> {
  const headers = call.headers as Record<string, string | undefined>
  const cookies = headers['set-cookie']
  if (cookies !== undefined) headers['set-cookie'] = String(cookies)
  return headers
}
