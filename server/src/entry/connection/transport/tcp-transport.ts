import type { Socket } from 'node:net'
import type { DisconnectQueue } from '../admission/disconnect-queue.ts'
import { probeWhenSilent } from './probe-when-silent.ts'
import { lastWordsMs, type Transport, type TransportListener } from './transport.ts'

export class TcpTransport implements Transport {
  readonly kind = 'tcp'
  readonly origin = undefined
  readonly host = undefined
  readonly address: string
  private readonly socket: Socket

  /** The socket may be half open: it is ours to close. */
  constructor(socket: Socket, disconnectQueue: DisconnectQueue, listen: (transport: Transport) => TransportListener) {
    this.socket = socket
    this.address = socket.remoteAddress ?? ''
    socket.setNoDelay(true)
    probeWhenSilent(socket)
    const listener = listen(this)
    socket.on('data', (bytes) => listener.onBytes(bytes))
    socket.on('drain', () => listener.onDrain())
    socket.on('end', () => disconnectQueue.leave(() => this.close()))
    socket.on('error', () => socket.destroy())
    socket.on('close', () => disconnectQueue.leave(() => listener.onClose()))
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
