import { connect, type Socket } from 'node:net'
import mqtt from 'mqtt-packet'

export interface Login {
  clientId: string
  key: string
}

export interface ClientEvents {
  /** The CONNACK, or the SUBACK where there is something to subscribe to. */
  onReady(): void
  onRefused(why: string): void
  /** A message came; it has been acknowledged. */
  onMessage(client: MqttClient, payload: Buffer): void
  onClose(client: MqttClient): void
}

const kinds = { connack: 2, publish: 3, puback: 4, suback: 9 }
/** None: a client that is measured at rest is not to be woken. */
const keepaliveSeconds = 0
const nothing = Buffer.alloc(0)

/**
 * A client that costs as little as it can, so that many of them leave the machine to what is measured: a bare socket,
 * a session that is kept, and a PUBACK for each message of QoS 1.
 */
export class MqttClient {
  readonly login: Login
  private readonly socket: Socket
  private readonly events: ClientEvents
  private readonly topic: string | undefined
  private rest: Buffer = nothing
  private packetId = 0

  constructor(port: number, login: Login, topic: string | undefined, events: ClientEvents) {
    this.login = login
    this.topic = topic
    this.events = events
    this.socket = connect(port, '127.0.0.1').setNoDelay(true)
    const { clientId, key } = login
    const packet = { cmd: 'connect', clientId, username: key, password: Buffer.from(key), clean: false } as const
    this.socket.write(mqtt.generate({ ...packet, keepalive: keepaliveSeconds, protocolId: 'MQTT', protocolVersion: 4 }))
    this.socket.on('data', (bytes) => this.receive(bytes))
    this.socket.on('error', (error) => events.onRefused(error.message))
    this.socket.on('close', () => events.onClose(this))
  }

  publish(topic: string, payload: Buffer): void {
    this.packetId = (this.packetId % 0xffff) + 1
    const packet = { cmd: 'publish', topic, payload, qos: 1, dup: false, retain: false } as const
    this.socket.write(mqtt.generate({ ...packet, messageId: this.packetId }))
  }

  /** As when the network goes away. */
  destroy(): void {
    this.socket.destroy()
  }

  private receive(bytes: Buffer): void {
    const all = this.rest.length > 0 ? Buffer.concat([this.rest, bytes]) : bytes
    let at = 0
    for (;;) {
      const length = readLength(all, at + 1)
      if (length === undefined || length.end + length.value > all.length) break
      this.take(all[at] as number, all.subarray(length.end, length.end + length.value))
      at = length.end + length.value
    }
    this.rest = at === all.length ? nothing : Buffer.from(all.subarray(at))
  }

  private take(first: number, body: Buffer): void {
    const kind = first >> 4
    if (kind === kinds.publish) return void this.takeMessage((first >> 1) & 3, body)
    if (kind === kinds.connack) {
      if (body[1] !== 0) return void this.events.onRefused(`the CONNECT was refused with ${body[1]}`)
      if (this.topic === undefined) return void this.events.onReady()
      const subscriptions = [{ topic: this.topic, qos: 1 as const }]
      return void this.socket.write(mqtt.generate({ cmd: 'subscribe', messageId: 1, subscriptions }))
    }
    if (kind === kinds.suback) this.events.onReady()
  }

  private takeMessage(qos: number, body: Buffer): void {
    const topicEnd = 2 + body.readUInt16BE(0)
    if (qos === 0) return void this.events.onMessage(this, body.subarray(topicEnd))
    const puback = Buffer.from([kinds.puback << 4, 2, body[topicEnd] as number, body[topicEnd + 1] as number])
    this.socket.write(puback)
    this.events.onMessage(this, body.subarray(topicEnd + 2))
  }
}

/** [MQTT 2.2.3] Seven bits a byte, the lowest first; undefined while it is not all there. */
function readLength(bytes: Buffer, start: number): { value: number; end: number } | undefined {
  let value = 0
  for (let place = 0; place < 4; place++) {
    const byte = bytes[start + place]
    if (byte === undefined) return undefined
    value += (byte & 127) << (7 * place)
    if (byte < 128) return { value, end: start + place + 1 }
  }
  return undefined
}
