import type { WebSocket } from 'ws'
import type { DisconnectQueue } from '../admission/disconnect-queue.ts'
import { lastWordsMs, type Transport, type TransportListener } from './transport.ts'

const normal = 1000
const unsupportedData = 1003
/** [RFC 6455, 5.5.3] Not every ping needs its pong: one that waits behind so much would not be read anyway. */
const mostBeforePong = 64 * 1024

export class WebSocketTransport implements Transport {
  readonly kind = 'websocket'
  readonly address: string
  readonly origin: string | undefined
  readonly host: string | undefined
  private readonly socket: WebSocket

  constructor(
    socket: WebSocket,
    from: { address: string; origin: string | undefined; host: string | undefined },
    disconnectQueue: DisconnectQueue,
    listen: (transport: Transport) => TransportListener,
  ) {
    this.socket = socket
    this.address = from.address
    this.origin = from.origin
    this.host = from.host
    const listener = listen(this)
    this.onWritten = () => {
      if (socket.bufferedAmount === 0) listener.onDrain()
    }
    socket.on('message', (data, isBinary) => {
      // [MQTT-6.0.0-1] Control packets travel in binary frames only.
      if (isBinary) listener.onBytes(data as Buffer)
      else this.end(unsupportedData)
    })
    socket.on('ping', (data) => {
      if (socket.bufferedAmount < mostBeforePong) socket.pong(data)
    })
    socket.on('error', () => socket.terminate())
    socket.on('close', () => disconnectQueue.leave(() => listener.onClose()))
  }

  private readonly onWritten: () => void

  get waitingBytes(): number {
    return this.socket.bufferedAmount
  }

  write(bytes: Buffer): void {
    if (this.socket.readyState === this.socket.OPEN) this.socket.send(bytes, this.onWritten)
  }

  pause(): void {
    this.socket.pause()
  }

  resume(): void {
    this.socket.resume()
  }

  end(code = normal): void {
    setTimeout(() => this.socket.terminate(), lastWordsMs).unref()
    this.socket.resume()
    this.socket.close(code)
  }

  destroy(): void {
    this.socket.terminate()
  }
}
