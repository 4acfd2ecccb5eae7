import type { FrameWriter } from './frame-writer.ts'
import { DATA, END_STREAM, firstWindow, largestWindow, mostFrameBytes } from './frames.ts'
import { ProtocolFault } from './protocol-fault.ts'

interface Waiting {
  body: Buffer
  sent: number
  window: number
}

/** The bodies of requests, as far as the other side takes them at the moment (flow control). Most go at once. */
export class BodyQueue {
  private readonly out: FrameWriter
  private readonly waiting = new Map<number, Waiting>()
  private window = firstWindow
  private streamWindow = firstWindow

  constructor(out: FrameWriter) {
    this.out = out
  }

  send(streamId: number, body: string | Buffer, bytes: number): void {
    if (this.waiting.size === 0 && bytes <= Math.min(this.window, this.streamWindow, mostFrameBytes)) {
      this.window -= bytes
      this.out.begin()
      if (typeof body === 'string') this.out.utf8(body, bytes)
      else this.out.copy(body)
      this.out.end(DATA, END_STREAM, streamId)
      return
    }
    const waiting = { body: typeof body === 'string' ? Buffer.from(body) : body, sent: 0, window: this.streamWindow }
    this.waiting.set(streamId, waiting)
    this.pump()
  }

  /** Whether some of its body was not sent. */
  drop(streamId: number): boolean {
    return this.waiting.delete(streamId)
  }

  /** Stream 0 is the connection. */
  widen(streamId: number, by: number): void {
    if (streamId === 0) this.window += by
    if (this.window > largestWindow) throw new ProtocolFault('FLOW_CONTROL_ERROR')
    const waiting = this.waiting.get(streamId)
    if (waiting) waiting.window += by
    if (waiting || streamId === 0) this.pump()
  }

  /** The other side gives every stream another window, those under way too. It counts on that from our acknowledgement: `pump` comes after it. */
  setStreamWindow(bytes: number): void {
    if (bytes > largestWindow) throw new ProtocolFault('FLOW_CONTROL_ERROR')
    for (const waiting of this.waiting.values()) waiting.window += bytes - this.streamWindow
    this.streamWindow = bytes
  }

  pump(): void {
    for (const [streamId, each] of this.waiting) {
      if (this.window <= 0) return
      for (;;) {
        const room = Math.min(this.window, each.window, mostFrameBytes)
        if (room <= 0 || each.sent === each.body.length) break
        const part = each.body.subarray(each.sent, each.sent + room)
        each.sent += part.length
        each.window -= part.length
        this.window -= part.length
        const isLast = each.sent === each.body.length
        if (isLast) this.waiting.delete(streamId)
        this.out.begin()
        this.out.copy(part)
        this.out.end(DATA, isLast ? END_STREAM : 0, streamId)
      }
    }
  }
}
