import type { Socket } from 'node:net'
import type { WayOut } from '../admission/way-out.ts'
import { type Line, type LineListener, lastWordsMs } from './line.ts'

export class TcpLine implements Line {
  readonly kind = 'tcp'
  readonly origin = undefined
  readonly host = undefined
  readonly address: string
  private readonly socket: Socket

  /** The socket may be half open: it is ours to close. */
  constructor(socket: Socket, wayOut: WayOut, listen: (line: Line) => LineListener) {
    this.socket = socket
    this.address = socket.remoteAddress ?? ''
    socket.setNoDelay(true)
    socket.setKeepAlive(true, 60_000)
    const listener = listen(this)
    socket.on('data', (bytes) => listener.onBytes(bytes))
    socket.on('drain', () => listener.onDrain())
    socket.on('end', () => wayOut.leave(() => this.close()))
    socket.on('error', () => socket.destroy())
    socket.on('close', () => wayOut.leave(() => listener.onClose()))
  }

  get waitingBytes(): number {
    return this.socket.writableLength
  }

  write(bytes: Buffer): void {
    if (this.socket.writable) this.socket.write(bytes)
  }

  pause(): void {
    this.socket.pause()
  }

  resume(): void {
    this.socket.resume()
  }

  end(): void {
    if (this.socket.destroyed) return
    setTimeout(() => this.socket.destroy(), lastWordsMs).unref()
    this.socket.destroySoon()
  }

  /** The client has said its last. */
  private close(): void {
    if (this.socket.writableLength === 0) this.socket.destroy()
    else this.end()
  }

  destroy(): void {
    this.socket.destroy()
  }
}
