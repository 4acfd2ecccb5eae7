import { describeFault } from '../outbound/describe-fault.ts'
import { type Call, CallList } from './call.ts'
import { type Connection, type ConnectionOwner, maxAnswerBytes, type Patience } from './connection.ts'
import type { AnswerHeaders } from './http2/header-reader.ts'
import { codeOf, nameOfCode } from './http2/protocol-fault.ts'
import type { Http2Session, SessionListener } from './http2/session.ts'
import type { PoolAnswer } from './pool.ts'

/** What a host that names no limit is expected to carry, and the most that one connection is given. */
const defaultStreams = 100
const mostStreams = 1000
const maxInterimResponses = 2
/** Maximum per response: 64 KiB in frames of 16 bytes. */
const maxDataFrames = 4_096

/**
 * One HTTP/2 session, from its first SETTINGS on.
 *
 *   open ──GOAWAY, idle, out of stream ids──▶ draining ──last request ended──▶ closing ──socket closed──▶ ended
 *     │                                          │                                │ too slow: cut            ▲
 *     └──────── socket lost, PING unanswered ────┴────────────────────────────────┴──────────────────────────┘
 *
 * A request ends once: with its answer, when its stream is reset, at its deadline, when its body is full, or with the connection.
 */
export class Http2Connection implements Connection, SessionListener {
  hasAnswered = false
  private readonly session: Http2Session
  private readonly owner: ConnectionOwner
  private readonly calls = new CallList()
  private readonly byStream = new Map<number, Call>()
  private state: 'open' | 'draining' | 'ended' = 'open'
  private limit: number
  /** Before the first 200, when the host wants one request at a time until then. */
  private isOnProbation: boolean
  /** What GOAWAY said was the last stream that may have been processed. */
  private lastStreamId = Number.POSITIVE_INFINITY
  private fault = 'the connection was lost'
  private heardTick: number
  private usedTick: number
  private pingTick: number | undefined

  constructor(session: Http2Session, isCautious: boolean, owner: ConnectionOwner) {
    this.session = session
    this.owner = owner
    this.isOnProbation = isCautious
    this.limit = limitOf(session)
    this.heardTick = owner.tick
    this.usedTick = owner.tick
    session.listen(this)
  }

  get room(): number {
    if (this.state !== 'open') return 0
    return (this.isOnProbation ? Math.min(1, this.limit) : this.limit) - this.calls.length
  }

  get expectedRoom(): number {
    return this.state === 'open' ? this.limit - this.calls.length : 0
  }

  send(call: Call): boolean {
    if (this.session.isOver) {
      this.leave(this.fault)
      return false
    }
    try {
      call.streamId = this.session.request(call.request)
    } catch (error) {
      call.settle({ kind: 'not-sent', detail: `the request is not valid: ${describeFault(error)}` })
      return true
    }
    this.byStream.set(call.streamId, call)
    call.sinceTick = this.owner.tick
    this.calls.push(call)
    if (this.session.isUsedUp) this.leave()
    return true
  }

  onHeard(): void {
    this.heardTick = this.owner.tick
  }

  onSettings(): void {
    this.limit = limitOf(this.session)
    if (this.room > 0) this.owner.freed()
  }

  onHeaders(streamId: number, { status, headers }: AnswerHeaders, isEnd: boolean): boolean {
    const call = this.byStream.get(streamId)
    if (!call) return false
    const isFirst = call.status === 0
    if (isFirst && status >= 200) {
      call.status = status
      call.headers = headers
    }
    if (isEnd) this.finish(call)
    else if (!isFirst) this.giveUp(call, broken.detail)
    else if (status < 200 && ++call.interimResponses > maxInterimResponses) {
      this.giveUp(call, 'the other side sent too many interim responses')
    }
    return true
  }

  onData(streamId: number, part: Buffer, isEnd: boolean): boolean {
    const call = this.byStream.get(streamId)
    if (!call) return false
    this.keep(call, part.subarray(0, maxAnswerBytes - call.bytes), isEnd)
    if (isEnd) this.finish(call)
    else if (call.bytes >= maxAnswerBytes || ++call.frames >= maxDataFrames) this.giveUp(call, 'the answer is too long')
    return true
  }

  onReset(streamId: number, code: number): boolean {
    const call = this.byStream.get(streamId)
    if (!call) return false
    if (code === codeOf('REFUSED_STREAM')) this.finish(call, notTaken)
    else this.finish(call, { kind: 'unclear', detail: `the other side said ${nameOfCode(code)}` })
    return true
  }

  onGoaway(code: number, lastStreamId: number): void {
    this.lastStreamId = Math.min(this.lastStreamId, lastStreamId)
    const detail = `the other side ended the connection: ${nameOfCode(code)}`
    // A host that took requests and says goodbye in order has done nothing wrong.
    const isOrderly = code === 0 && lastStreamId > 0 && this.calls.length > 0
    this.leave(isOrderly ? undefined : detail)
    if (code === 0) this.endAbove(this.lastStreamId)
    else this.cut(detail)
  }

  onPong(): void {
    this.pingTick = undefined
  }

  onClose(fault = 'the connection was lost'): void {
    if (this.state === 'ended') return
    this.leave(fault)
    this.endCalls(fault)
    this.state = 'ended'
    this.owner.ended(this)
  }

  sweep(): void {
    const { tick, patience } = this.owner
    for (let call = this.calls.first; call && tick - call.sinceTick > patience.request; call = this.calls.first) {
      this.giveUp(call, 'no answer in time')
    }
    if (this.pingTick !== undefined && tick - this.pingTick > patience.pong) this.cut('no answer to a ping')
    else if (this.state === 'open') this.sweepOpen(tick, patience)
    else if (this.calls.length === 0 && tick - this.usedTick > patience.linger) this.session.cut()
  }

  drain(): void {
    this.leave()
    if (this.calls.length === 0) this.session.close()
  }

  /** Parts are slices of a larger socket buffer, so a part that has to wait for others is copied out of it. */
  private keep(call: Call, part: Buffer, isEnd: boolean): void {
    if (part.length === 0) return
    call.bytes += part.length
    if (call.chunks) call.chunks.push(Buffer.from(part))
    else call.chunks = [isEnd ? part : Buffer.from(part)]
  }

  private sweepOpen(tick: number, patience: Patience): void {
    const isIdle = this.calls.length === 0
    if (isIdle && tick - this.usedTick > patience.idle) this.drain()
    else if (tick - this.heardTick > (isIdle ? patience.ping * 4 : patience.ping)) this.ping()
  }

  /** We do not want the rest of the answer. */
  private giveUp(call: Call, detail: string): void {
    this.session.cancel(call.streamId)
    this.finish(call, { kind: 'unclear', detail })
  }

  /** With its answer, where there is one. */
  private finish(call: Call, unanswered: PoolAnswer = broken): void {
    this.byStream.delete(call.streamId)
    this.calls.remove(call)
    this.usedTick = this.owner.tick
    if (call.status === 0) call.settle(call.streamId > this.lastStreamId ? notTaken : unanswered)
    else this.answer(call)
    if (this.state === 'open') this.owner.freed()
    else if (this.calls.length === 0) this.session.close()
  }

  private answer(call: Call): void {
    if (call.status === 200) this.isOnProbation = false
    if (!this.hasAnswered) {
      this.hasAnswered = true
      this.owner.proven()
    }
    call.settle({ kind: 'answer', status: call.status, headers: call.headers ?? {}, body: bodyText(call) })
  }

  private ping(): void {
    if (this.session.isOver || this.pingTick !== undefined) return
    this.pingTick = this.owner.tick
    this.session.ping()
  }

  private cut(detail: string): void {
    this.fault = detail
    this.leave(detail)
    this.endCalls(detail)
    this.session.cut()
  }

  private endAbove(lastStreamId: number): void {
    for (const call of [...this.byStream.values()]) if (call.streamId > lastStreamId) this.finish(call)
    if (this.calls.length === 0) this.session.close()
  }

  private endCalls(detail: string): void {
    for (let call = this.calls.first; call; call = this.calls.first) this.finish(call, { kind: 'unclear', detail })
  }

  private leave(fault?: string): void {
    if (this.state !== 'open') return
    this.state = 'draining'
    this.usedTick = this.owner.tick
    this.owner.left(this, fault)
  }
}

const notTaken: PoolAnswer = { kind: 'not-sent', detail: 'the other side did not take the request' }
/** It ended without the headers of an answer. */
const broken = { kind: 'unclear', detail: 'the other side does not keep to HTTP/2' } satisfies PoolAnswer

function limitOf({ maxStreams }: Http2Session): number {
  return maxStreams === undefined ? defaultStreams : Math.min(maxStreams, mostStreams)
}

function bodyText({ chunks }: Call): string {
  if (chunks === undefined) return ''
  return (chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString()
}
