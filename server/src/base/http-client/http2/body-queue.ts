import type { FrameBudget } from './frame-budget.ts'
import type { FrameWriter } from './frame-writer.ts'
import { DATA, END_STREAM, firstWindow, largestWindow, mostFrameBytes } from './frames.ts'
import { ProtocolFault } from './protocol-fault.ts'

interface Waiting {
  body: Buffer
  sent: number
  window: number
}

/**
 * Sends request bodies as flow control allows; most are sent at once. Bodies whose own window is used up are kept
 * apart, so that widening the connection's window does not visit them.
 */
export class BodyQueue {
  private readonly out: FrameWriter
  private readonly budget: FrameBudget
  private readonly waiting = new Map<number, Waiting>()
  /** The part of `waiting` that only the connection's window blocks. */
  private readonly ready = new Map<number, Waiting>()
  private window = firstWindow
  private streamWindow = firstWindow

  constructor(out: FrameWriter, budget: FrameBudget) {
    this.out = out
    this.budget = budget
  }

  send(streamId: number, body: string | Buffer, bytes: number): void {
    if (this.ready.size === 0 && bytes <= Math.min(this.window, this.streamWindow, mostFrameBytes)) {
      this.window -= bytes
      this.out.begin()
      if (typeof body === 'string') this.out.utf8(body, bytes)
      else this.out.copy(body)
      this.out.end(DATA, END_STREAM, streamId)
      return
    }
    const waiting = { body: typeof body === 'string' ? Buffer.from(body) : body, sent: 0, window: this.streamWindow }
    this.waiting.set(streamId, waiting)
    if (waiting.window > 0) this.ready.set(streamId, waiting)
    this.pump()
  }

  /** Whether some of its body was not sent. */
  drop(streamId: number): boolean {
    this.ready.delete(streamId)
    return this.waiting.delete(streamId)
  }

  /** Stream 0 is the connection. */
  widen(streamId: number, by: number): void {
    if (by === 0) throw new ProtocolFault('PROTOCOL_ERROR')
    const waiting = this.waiting.get(streamId)
    if (streamId === 0) this.window += by
    else if (waiting) this.setWindow(streamId, waiting, waiting.window + by)
    else return
    if (this.window > largestWindow) throw new ProtocolFault('FLOW_CONTROL_ERROR')
    this.pump()
  }

  /** The other side gives every stream another window, those under way too. It counts on that from our acknowledgement: `pump` comes after it. */
  setStreamWindow(bytes: number): void {
    if (bytes === this.streamWindow) return
    const change = bytes - this.streamWindow
    this.streamWindow = bytes
    for (const [streamId, each] of this.waiting) this.setWindow(streamId, each, each.window + change)
  }

  pump(): void {
    for (const [streamId, each] of this.ready) {
      while (this.window > 0 && each.window > 0 && each.sent < each.body.length) this.sendPart(streamId, each)
      if (this.window <= 0) return
    }
  }

  private sendPart(streamId: number, each: Waiting): void {
    const room = Math.min(this.window, each.window, mostFrameBytes)
    const part = each.body.subarray(each.sent, each.sent + room)
    each.sent += part.length
    each.window -= part.length
    this.window -= part.length
    this.budget.addWaitingBytes(part.length)
    const isLast = each.sent === each.body.length
    if (isLast) this.waiting.delete(streamId)
    if (isLast || each.window <= 0) this.ready.delete(streamId)
    this.out.begin()
    this.out.copy(part)
    this.out.end(DATA, isLast ? END_STREAM : 0, streamId)
  }

  private setWindow(streamId: number, waiting: Waiting, bytes: number): void {
    if (bytes > largestWindow) throw new ProtocolFault('FLOW_CONTROL_ERROR')
    waiting.window = bytes
    if (bytes > 0) this.ready.set(streamId, waiting)
    else this.ready.delete(streamId)
  }
}
