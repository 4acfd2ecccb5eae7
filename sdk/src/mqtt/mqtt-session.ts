import { PacketStream } from './packet-stream.ts'
import {
  type ConnectOptions,
  connectPacket,
  disconnectPacket,
  type Incoming,
  pingPacket,
  pubackPacket,
  publishPacket,
  subscribePacket,
  unsubscribePacket,
} from './packets.ts'

export interface SessionEvents {
  onConnected(isSessionPresent: boolean): void
  /** Acknowledged when the promise is fulfilled; one that fails comes again after the next connect. */
  onMessage(topic: string, payload: Uint8Array): Promise<void> | void
  /** Once, whoever ended it. `refusal` is the code of a CONNACK that said no. */
  onClosed(end: { refusal?: number }): void
}

const SECOND = 1_000
const connectLimitMs = 15 * SECOND
const answerLimitMs = 20 * SECOND

/**
 * One MQTT 3.1.1 session over one WebSocket: opened ─CONNACK 0─▶ connected ─▶ closed. It is not opened again; whoever
 * holds it makes another one.
 */
export class MqttSession {
  private readonly socket: WebSocket
  private readonly events: SessionEvents
  private readonly options: ConnectOptions
  private readonly stream = new PacketStream()
  private readonly waiting = new Map<number, (granted: number[]) => void>()
  private readonly timers = new Set<ReturnType<typeof setTimeout>>()
  private handled: Promise<void> = Promise.resolve()
  private lastPacketId = 0
  private heardAt = 0
  private isConnected = false
  private isClosed = false

  constructor(url: string, options: ConnectOptions, events: SessionEvents) {
    this.options = options
    this.events = events
    this.socket = new WebSocket(url, ['mqtt'])
    this.socket.binaryType = 'arraybuffer'
    this.socket.onopen = () => this.send(connectPacket(options))
    this.socket.onmessage = ({ data }) => this.receive(data)
    this.socket.onerror = () => this.end({})
    this.socket.onclose = () => this.end({})
    this.after(connectLimitMs, () => {
      if (!this.isConnected) this.end({})
    })
  }

  /** What the server granted for each: 0, 1, or 128 for a topic that it refused. */
  subscribe(topics: readonly string[]): Promise<number[]> {
    return this.ask((packetId) => subscribePacket(packetId, topics))
  }

  async unsubscribe(topics: readonly string[]): Promise<void> {
    await this.ask((packetId) => unsubscribePacket(packetId, topics))
  }

  /** QoS 1: fulfilled when the server has it; never when the session ends before. */
  async publish(topic: string, payload: string): Promise<void> {
    await this.ask((packetId) => publishPacket(topic, payload, packetId))
  }

  /** QoS 0. */
  tell(topic: string, payload: string): void {
    this.send(publishPacket(topic, payload))
  }

  close(): void {
    if (this.isConnected && !this.isClosed) this.send(disconnectPacket())
    this.end({})
  }

  private receive(data: unknown): void {
    if (this.isClosed) return
    try {
      if (!(data instanceof ArrayBuffer)) throw new TypeError('MQTT is binary')
      this.heardAt = performance.now()
      for (const packet of this.stream.read(new Uint8Array(data))) this.take(packet)
    } catch {
      this.end({})
    }
  }

  private take(packet: Incoming): void {
    switch (packet.kind) {
      case 'connack':
        this.takeConnack(packet)
        break
      case 'publish':
        this.handled = this.handled.then(() => this.handOver(packet))
        break
      case 'puback':
      case 'unsuback':
        this.answer(packet.packetId, [])
        break
      case 'suback':
        this.answer(packet.packetId, packet.granted)
    }
  }

  private takeConnack({ code, isSessionPresent }: Extract<Incoming, { kind: 'connack' }>): void {
    if (code !== 0) {
      this.end({ refusal: code })
      return
    }
    this.isConnected = true
    this.keepAlive()
    this.events.onConnected(isSessionPresent)
  }

  /** One after the other, so that messages are shown and acknowledged in their order. The next session has the rest. */
  private async handOver({ topic, payload, qos, packetId }: Extract<Incoming, { kind: 'publish' }>): Promise<void> {
    if (this.isClosed) return
    try {
      await this.events.onMessage(topic, payload)
    } catch {
      this.end({})
      return
    }
    if (qos === 1) this.send(pubackPacket(packetId))
  }

  private ask(write: (packetId: number) => Uint8Array<ArrayBuffer>): Promise<number[]> {
    return new Promise((resolve) => {
      do this.lastPacketId = (this.lastPacketId % 65_535) + 1
      while (this.waiting.has(this.lastPacketId))
      const packetId = this.lastPacketId
      this.waiting.set(packetId, resolve)
      this.send(write(packetId))
      this.after(answerLimitMs, () => {
        if (this.waiting.has(packetId)) this.end({})
      })
    })
  }

  private answer(packetId: number, granted: number[]): void {
    this.waiting.get(packetId)?.(granted)
    this.waiting.delete(packetId)
  }

  /** A hidden page's timers may be a minute late: three pings fit into the time after which the server gives up. */
  private keepAlive(): void {
    const pauseMs = (this.options.keepAliveSeconds * SECOND) / 3
    this.after(pauseMs, () => {
      const askedAt = performance.now()
      this.send(pingPacket())
      this.after(Math.min(answerLimitMs, pauseMs), () => {
        if (this.heardAt < askedAt) this.end({})
      })
      this.keepAlive()
    })
  }

  private after(ms: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer)
      if (!this.isClosed) act()
    }, ms)
    this.timers.add(timer)
  }

  private send(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(bytes)
  }

  private end(how: { refusal?: number }): void {
    if (this.isClosed) return
    this.isClosed = true
    for (const timer of this.timers) clearTimeout(timer)
    this.waiting.clear()
    this.socket.close()
    this.events.onClosed(how)
  }
}
