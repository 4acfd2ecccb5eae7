import type { Socket } from 'node:net'
import { describeFault } from '../../outbound/describe-fault.ts'
import type { PoolRequest } from '../pool.ts'
import { BodyQueue } from './body-queue.ts'
import { FrameBudget } from './frame-budget.ts'
import { FrameReader, numberOf, withoutPadding } from './frame-reader.ts'
import { FrameWriter } from './frame-writer.ts'
import * as frames from './frames.ts'
import { type AnswerHeaders, HeaderReader, mostHeaderBytes } from './header-reader.ts'
import { HeaderWriter } from './header-writer.ts'
import { codeOf, ProtocolFault } from './protocol-fault.ts'

/** Events of a session. Stream events return whether a request still waits for that stream. */
export interface SessionListener {
  /** Anything came. */
  onHeard(): void
  onSettings(): void
  onHeaders(streamId: number, headers: AnswerHeaders, isEnd: boolean): boolean
  onData(streamId: number, part: Buffer, isEnd: boolean): boolean
  onReset(streamId: number, code: number): boolean
  onGoaway(code: number, lastStreamId: number): void
  onPong(): void
  /** The socket has closed, once; with a fault when it was not our wish. */
  onClose(fault: string | undefined): void
}

const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'
/** Of a stream: more than is read of an answer. Of the connection: of all of them until we have said that we go on. */
const answerWindow = 128 * 1024
const connectionWindow = 1024 * 1024
/** Of answers to what the other side only asks to keep us busy. */
const mostUnsent = 16 * 1024 * 1024
/** Cost of a settings frame, which makes us visit every waiting body. */
const framesPerSettings = 20
const lastOfIds = 2 ** 31 - 1
const pingBytes = 8

/**
 * HTTP/2 (RFC 9113) as the client of requests that are written whole and of short answers: nothing is pushed, nothing has
 * a priority. Node's own would make a stream of Node for each of them, which costs more than all the rest.
 */
export class Http2Session {
  /** Undefined where the other side has not said it. */
  maxStreams: number | undefined
  private readonly socket: Socket
  private readonly out: FrameWriter
  private readonly headers: HeaderWriter
  private readonly reader: FrameReader
  private readonly headerReader = new HeaderReader()
  private readonly budget = new FrameBudget()
  private readonly bodies: BodyQueue
  private listener: SessionListener
  private nextId = 1
  private unread = 0
  private hasSettings = false
  private isClosing = false
  private fault: string | undefined
  /** Headers of which a part is still to come. */
  private open: { streamId: number; parts: Buffer[]; bytes: number; isEnd: boolean } | undefined

  constructor(socket: Socket, origin: URL, listener: SessionListener) {
    this.socket = socket
    this.listener = listener
    this.out = new FrameWriter(socket)
    this.headers = new HeaderWriter(origin)
    this.bodies = new BodyQueue(this.out, this.budget)
    this.reader = new FrameReader((type, flags, streamId, payload) => this.read(type, flags, streamId, payload))
    socket.on('data', (chunk: Buffer) => this.receive(chunk))
    socket.on('error', (error) => {
      this.fault ??= describeFault(error)
    })
    socket.once('close', () => this.listener.onClose(this.fault))
    this.greet()
  }

  /** Who is told from now on. */
  listen(listener: SessionListener): void {
    this.listener = listener
  }

  get isOver(): boolean {
    return this.isClosing || !this.socket.writable
  }

  get isUsedUp(): boolean {
    return this.nextId > lastOfIds
  }

  /** Answers the stream. Throws where the request cannot be written. */
  request(request: PoolRequest): number {
    const { body } = request
    const bytes = body === undefined ? undefined : Buffer.byteLength(body)
    this.out.begin()
    try {
      this.headers.write(this.out, request, bytes)
    } catch (error) {
      this.out.giveUp()
      throw error
    }
    const streamId = this.nextId
    this.nextId += 2
    this.budget.addRequest()
    this.out.endHeaders(frames.HEADERS, bytes ? 0 : frames.END_STREAM, streamId)
    if (body !== undefined && bytes) this.bodies.send(streamId, body, bytes)
    return streamId
  }

  /** Nobody waits for its answer any more. */
  cancel(streamId: number): void {
    this.bodies.drop(streamId)
    this.out.begin()
    this.out.number32(codeOf('CANCEL'))
    this.out.end(frames.RST_STREAM, 0, streamId)
  }

  ping(): void {
    this.out.begin()
    this.out.copy(Buffer.alloc(pingBytes))
    this.out.end(frames.PING, 0, 0)
  }

  /** After the last answer. */
  close(): void {
    if (this.isClosing) return
    this.sayGoodbye(codeOf('NO_ERROR'))
    this.socket.end()
  }

  /** At once. */
  cut(): void {
    this.isClosing = true
    this.socket.destroy()
  }

  private sayGoodbye(code: number): void {
    this.isClosing = true
    this.out.begin()
    this.out.number32(0)
    this.out.number32(code)
    this.out.end(frames.GOAWAY, 0, 0)
    this.out.flush()
  }

  private greet(): void {
    const settings = [
      [frames.ENABLE_PUSH, 0],
      [frames.INITIAL_WINDOW_SIZE, answerWindow],
      [frames.MAX_HEADER_LIST_SIZE, mostHeaderBytes],
    ] as const
    this.out.latin1(preface)
    this.out.begin()
    for (const [name, value] of settings) {
      this.out.number16(name)
      this.out.number32(value)
    }
    this.out.end(frames.SETTINGS, 0, 0)
    this.widen(connectionWindow - frames.firstWindow)
    this.out.flush()
  }

  private receive(chunk: Buffer): void {
    if (this.socket.destroyed) return
    this.listener.onHeard()
    try {
      this.reader.push(chunk)
    } catch (error) {
      if (!(error instanceof ProtocolFault)) throw error
      this.fault ??= error.message
      this.sayGoodbye(error.code)
      this.socket.destroy()
    }
  }

  private read(type: number, flags: number, streamId: number, payload: Buffer): void {
    if (this.socket.destroyed) return
    if (!this.hasSettings && type !== frames.SETTINGS) throw new ProtocolFault('PROTOCOL_ERROR')
    if (this.open && (type !== frames.CONTINUATION || streamId !== this.open.streamId))
      throw new ProtocolFault('PROTOCOL_ERROR')
    switch (type) {
      case frames.DATA:
        this.readData(flags, streamId, payload)
        break
      case frames.HEADERS:
        this.readHeaders(flags, streamId, payload)
        break
      case frames.CONTINUATION:
        this.readMoreHeaders(flags, payload)
        break
      case frames.RST_STREAM:
        this.readReset(streamId, payload)
        break
      case frames.PUSH_PROMISE:
        throw new ProtocolFault('PROTOCOL_ERROR')
      default:
        this.readControl(type, flags, streamId, payload)
    }
  }

  private readControl(type: number, flags: number, streamId: number, payload: Buffer): void {
    this.budget.take(payload.length, type === frames.SETTINGS ? framesPerSettings : 1)
    if (type === frames.SETTINGS) this.readSettings(flags, payload)
    else if (type === frames.PING) this.readPing(flags, payload)
    else if (type === frames.GOAWAY) this.readGoaway(payload)
    else if (type === frames.WINDOW_UPDATE) this.readWindow(streamId, payload)
  }

  private readWindow(streamId: number, payload: Buffer): void {
    if (streamId !== 0) this.checkStream(streamId)
    this.bodies.widen(streamId, numberOf(payload) & lastOfIds)
  }

  private readData(flags: number, streamId: number, payload: Buffer): void {
    this.checkStream(streamId)
    this.unread += payload.length
    if (this.unread > connectionWindow / 2) {
      this.widen(this.unread)
      this.unread = 0
    }
    const isEnd = (flags & frames.END_STREAM) !== 0
    const isAwaited = this.listener.onData(streamId, withoutPadding(flags, payload), isEnd)
    if (!isAwaited) this.budget.take(payload.length)
    if (isEnd) this.dropRest(streamId)
  }

  private readHeaders(flags: number, streamId: number, payload: Buffer): void {
    this.checkStream(streamId)
    const unpadded = withoutPadding(flags, payload)
    const block = flags & frames.PRIORITY ? unpadded.subarray(5) : unpadded
    const isEnd = (flags & frames.END_STREAM) !== 0
    if (flags & frames.END_HEADERS) this.endHeaders(streamId, block, isEnd)
    else this.open = { streamId, parts: [Buffer.from(block)], bytes: block.length, isEnd }
  }

  private readMoreHeaders(flags: number, payload: Buffer): void {
    const { open } = this
    if (!open) throw new ProtocolFault('PROTOCOL_ERROR')
    open.parts.push(Buffer.from(payload))
    // An empty one costs us something, too.
    open.bytes += payload.length + 32
    if (open.bytes > mostHeaderBytes) throw new ProtocolFault('ENHANCE_YOUR_CALM')
    if ((flags & frames.END_HEADERS) === 0) return
    this.open = undefined
    this.endHeaders(open.streamId, Buffer.concat(open.parts), open.isEnd)
  }

  private endHeaders(streamId: number, block: Buffer, isEnd: boolean): void {
    const isAwaited = this.listener.onHeaders(streamId, this.headerReader.read(block), isEnd)
    if (!isAwaited) this.budget.take(block.length)
    if (isEnd) this.dropRest(streamId)
  }

  /** The answer came before all of the request was read: the rest is not wanted. */
  private dropRest(streamId: number): void {
    if (this.bodies.drop(streamId)) this.cancel(streamId)
  }

  private readReset(streamId: number, payload: Buffer): void {
    this.checkStream(streamId)
    this.bodies.drop(streamId)
    const isAwaited = this.listener.onReset(streamId, numberOf(payload))
    if (!isAwaited) this.budget.take(payload.length)
  }

  private readGoaway(payload: Buffer): void {
    if (payload.length < 8) throw new ProtocolFault('FRAME_SIZE_ERROR')
    this.listener.onGoaway(payload.readUInt32BE(4), payload.readUInt32BE(0) & lastOfIds)
  }

  private readSettings(flags: number, payload: Buffer): void {
    if (flags & frames.ACK) return
    if (payload.length % 6 !== 0) throw new ProtocolFault('FRAME_SIZE_ERROR')
    let streamWindow: number | undefined
    for (let at = 0; at < payload.length; at += 6) {
      const value = payload.readUInt32BE(at + 2)
      const name = payload.readUInt16BE(at)
      if (name === frames.HEADER_TABLE_SIZE) this.headers.limitTable(value)
      else if (name === frames.MAX_CONCURRENT_STREAMS) this.maxStreams = value
      else if (name === frames.INITIAL_WINDOW_SIZE) {
        if (value > frames.largestWindow) throw new ProtocolFault('FLOW_CONTROL_ERROR')
        streamWindow = value
      }
    }
    if (streamWindow !== undefined) this.bodies.setStreamWindow(streamWindow)
    this.hasSettings = true
    this.acknowledge(frames.SETTINGS)
    this.bodies.pump()
    this.listener.onSettings()
  }

  private readPing(flags: number, payload: Buffer): void {
    if (payload.length !== pingBytes) throw new ProtocolFault('FRAME_SIZE_ERROR')
    if (flags & frames.ACK) this.listener.onPong()
    else this.acknowledge(frames.PING, payload)
  }

  private acknowledge(type: number, payload?: Buffer): void {
    if (this.socket.writableLength > mostUnsent) throw new ProtocolFault('ENHANCE_YOUR_CALM')
    this.out.begin()
    if (payload) this.out.copy(payload)
    this.out.end(type, frames.ACK, 0)
  }

  private widen(bytes: number): void {
    this.out.begin()
    this.out.number32(bytes)
    this.out.end(frames.WINDOW_UPDATE, 0, 0)
  }

  /** It may have ended long ago, but it must have begun. */
  private checkStream(streamId: number): void {
    if (streamId % 2 === 0 || streamId >= this.nextId) throw new ProtocolFault('PROTOCOL_ERROR')
  }
}
