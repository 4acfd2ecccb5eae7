import type { Socket } from 'node:net'
import { CONTINUATION, END_HEADERS, frameHeaderBytes, mostFrameBytes } from './frames.ts'

const usualBytes = 32 * 1024
/** So little is copied: a buffer of that size for it would cost more. */
const fewBytes = 4 * 1024

/** Gathers the frames of one turn of the event loop and writes them together. */
export class FrameWriter {
  private readonly socket: Socket
  private buffer = Buffer.allocUnsafeSlow(usualBytes)
  private length = 0
  private frameStart = 0
  private isScheduled = false
  private readonly flushLater = () => {
    this.isScheduled = false
    this.flush()
  }

  constructor(socket: Socket) {
    this.socket = socket
  }

  begin(): void {
    this.reserve(frameHeaderBytes)
    this.frameStart = this.length
    this.length += frameHeaderBytes
  }

  /** What was begun is not sent. */
  giveUp(): void {
    this.length = this.frameStart
  }

  latin1(text: string): void {
    this.reserve(text.length)
    this.length += this.buffer.write(text, this.length, 'latin1')
  }

  utf8(text: string, bytes: number): void {
    this.reserve(bytes)
    this.length += this.buffer.write(text, this.length, 'utf8')
  }

  copy(bytes: Buffer): void {
    this.reserve(bytes.length)
    this.buffer.set(bytes, this.length)
    this.length += bytes.length
  }

  number32(value: number): void {
    this.reserve(4)
    this.length = this.buffer.writeUInt32BE(value, this.length)
  }

  number16(value: number): void {
    this.reserve(2)
    this.length = this.buffer.writeUInt16BE(value, this.length)
  }

  end(type: number, flags: number, streamId: number): void {
    const bytes = this.length - this.frameStart - frameHeaderBytes
    this.writeFrameHeader(this.frameStart, bytes, type, flags, streamId)
    if (this.length >= usualBytes) this.flush()
    else this.schedule()
  }

  /** Headers that are longer than a frame may be are continued in further ones. */
  endHeaders(type: number, flags: number, streamId: number): void {
    const bytes = this.length - this.frameStart - frameHeaderBytes
    if (bytes <= mostFrameBytes) {
      this.end(type, flags | END_HEADERS, streamId)
      return
    }
    const block = Buffer.from(this.buffer.subarray(this.frameStart + frameHeaderBytes, this.length))
    this.length = this.frameStart
    for (let at = 0; at < bytes; at += mostFrameBytes) {
      this.begin()
      this.copy(block.subarray(at, at + mostFrameBytes))
      const isLast = at + mostFrameBytes >= bytes ? END_HEADERS : 0
      if (at === 0) this.end(type, flags, streamId)
      else this.end(CONTINUATION, isLast, streamId)
    }
  }

  flush(): void {
    if (this.length === 0) return
    const bytes = this.buffer.subarray(0, this.length)
    const isLittle = this.length <= fewBytes
    if (!isLittle) this.buffer = Buffer.allocUnsafeSlow(usualBytes)
    this.length = 0
    if (this.socket.writable) this.socket.write(isLittle ? Buffer.from(bytes) : bytes)
  }

  private schedule(): void {
    if (this.isScheduled) return
    this.isScheduled = true
    setImmediate(this.flushLater)
  }

  private writeFrameHeader(at: number, bytes: number, type: number, flags: number, streamId: number): void {
    const { buffer } = this
    buffer[at] = bytes >>> 16
    buffer[at + 1] = bytes >>> 8
    buffer[at + 2] = bytes
    buffer[at + 3] = type
    buffer[at + 4] = flags
    buffer.writeUInt32BE(streamId, at + 5)
  }

  private reserve(bytes: number): void {
    const needed = this.length + bytes
    if (needed <= this.buffer.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.buffer.length * 2))
    this.buffer.copy(larger, 0, 0, this.length)
    this.buffer = larger
  }
}
