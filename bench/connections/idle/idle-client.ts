import { connect, type Socket } from 'node:net'
import mqtt from 'mqtt-packet'
import type { Login } from '../mqtt-client.ts'

export interface IdleEvents {
  onConnected(client: IdleClient): void
  onClose(client: IdleClient, why: string): void
}

const firstBytes = { connack: 0x20, pingresp: 0xd0 }
const pingreq = Buffer.from([0xc0, 0])
/** What a client reads it takes at once, so all of them read into the same. */
const shared = Buffer.alloc(1024)

/** A client that weighs next to nothing: it says who it is, and pings when it is told to. */
export class IdleClient {
  isConnected = false
  isAnswerDue = false
  /** When it was last heard of: its CONNECT, or a ping. */
  spokeAtMs = performance.now()
  private readonly socket: Socket
  private readonly events: IdleEvents
  private why = 'the connection was closed'

  constructor(at: { port: number; localAddress: string; keepalive: number }, login: Login, events: IdleEvents) {
    const { port, localAddress, keepalive } = at
    this.events = events
    const callback = (length: number) => {
      this.take(length)
      return true
    }
    this.socket = connect({ port, host: '127.0.0.1', localAddress, onread: { buffer: shared, callback } })
    this.socket.on('error', ({ message }) => {
      this.why = message
    })
    this.socket.on('close', () => events.onClose(this, this.why))
    const { clientId, key } = login
    const packet = { cmd: 'connect', clientId, username: key, password: Buffer.from(key), clean: false } as const
    this.socket.write(mqtt.generate({ ...packet, keepalive, protocolId: 'MQTT', protocolVersion: 4 }))
  }

  ping(): void {
    this.isAnswerDue = true
    this.spokeAtMs = performance.now()
    this.socket.write(pingreq)
  }

  /** Nothing else comes to who has no messages, and neither is ever sent in two parts. */
  private take(length: number): void {
    const [first, , , code] = shared.subarray(0, length)
    if (first === firstBytes.connack && code === 0) {
      this.isConnected = true
      this.events.onConnected(this)
    } else if (first === firstBytes.connack) {
      this.why = `the CONNECT was refused with ${code}`
      this.socket.destroy()
    } else if (first === firstBytes.pingresp) {
      this.isAnswerDue = false
    }
  }
}
