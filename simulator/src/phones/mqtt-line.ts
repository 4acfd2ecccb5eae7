import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import mqtt, { type Packet } from 'mqtt-packet'

export interface LineOptions {
  /** mqtt://host:port, or mqtts. */
  url: string
  clientId: string
  clientKey: string
  /** Said in one breath with CONNECT, so that the service knows it before it sends anything. */
  firstWords: Words | undefined
}

export interface Words {
  topic: string
  text: string
}

export interface LineEvents {
  onConnected(): void
  /** The message is acknowledged when this is fulfilled. */
  onMessage(payload: Buffer): Promise<void>
  /** Once. `refusal` is the service's answer to CONNECT when it is not a welcome. */
  onClosed(end: { reason: string; refusal: number | undefined }): void
}

const keepaliveSeconds = 30
const silenceMs = keepaliveSeconds * 1_500
const welcomeMs = 15_000
const leaveMs = 1_000

/** [MQTT 3.1.1, 3.2.2.3] */
const refusals: Record<number, string> = {
  2: 'the service does not take the client id',
  3: 'the service is not available',
  4: 'the service does not know the client key',
  5: 'the service does not let this installation in',
}

/** One MQTT 3.1.1 connection of a phone, from CONNECT to its end. The session is the service's and outlives it. */
export class MqttLine {
  private readonly socket: Socket
  private readonly events: LineEvents
  private readonly timers: NodeJS.Timeout[] = []
  private acknowledging: Promise<void> = Promise.resolve()
  private heardAtMs = performance.now()
  private packetId = 0
  private reason = 'the line was closed'
  private refusal: number | undefined

  constructor({ url, clientId, clientKey, firstWords }: LineOptions, events: LineEvents) {
    this.events = events
    const { protocol, hostname, port } = new URL(url)
    const host = hostname.replace(/^\[(.*)\]$/, '$1')
    const isSecure = protocol === 'mqtts:'
    const at = { host, port: Number(port) || (isSecure ? 8883 : 1883) }
    this.socket = isSecure ? connectTls(at) : connectTcp(at)
    this.socket.setNoDelay(true)
    this.hear()
    this.after(welcomeMs, () => this.cut('the service did not answer'))
    this.socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      this.socket.cork()
      this.send({
        ...{ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, clean: false },
        ...{ clientId, username: clientKey, password: Buffer.from(clientKey), keepalive: keepaliveSeconds },
      })
      if (firstWords) this.say(firstWords)
      this.socket.uncork()
    })
  }

  say({ topic, text }: Words): void {
    this.packetId = (this.packetId % 0xffff) + 1
    const named = { topic, payload: text, messageId: this.packetId }
    this.send({ cmd: 'publish', qos: 1, dup: false, retain: false, ...named })
  }

  /** Takes its leave. */
  end(): void {
    this.reason = 'it was not wanted any more'
    this.send({ cmd: 'disconnect' })
    this.socket.end()
    this.after(leaveMs, () => this.socket.destroy())
  }

  /** Without a word, as when the network is gone. */
  cut(reason: string): void {
    this.reason = reason
    this.socket.destroy()
  }

  private hear(): void {
    const parser = mqtt.parser({ protocolVersion: 4 })
    parser.on('packet', (packet) => this.take(packet))
    parser.on('error', () => this.cut('what came is not MQTT'))
    this.socket.on('data', (bytes) => {
      this.heardAtMs = performance.now()
      parser.parse(bytes)
    })
    this.socket.on('error', (error: NodeJS.ErrnoException) => {
      this.reason = `the service cannot be reached (${error.code ?? error.message})`
    })
    this.socket.on('close', () => {
      for (const timer of this.timers) clearTimeout(timer)
      this.events.onClosed({ reason: this.reason, refusal: this.refusal })
    })
  }

  private take(packet: Packet): void {
    if (packet.cmd === 'connack') this.enter(packet.returnCode ?? 0)
    // Who takes its leave takes no message any more.
    if (packet.cmd !== 'publish' || !this.socket.writable) return
    const taken = this.events.onMessage(packet.payload as Buffer)
    if (packet.qos === 0) return
    const { messageId } = packet
    // In the order in which they came [MQTT-4.6.0-2].
    this.acknowledging = this.acknowledging
      .then(() => taken)
      .then(
        () => this.send({ cmd: 'puback', messageId: messageId as number }),
        () => this.cut('a message could not be stored'),
      )
  }

  private enter(returnCode: number): void {
    for (const timer of this.timers.splice(0)) clearTimeout(timer)
    if (returnCode !== 0) {
      this.refusal = returnCode
      this.cut(refusals[returnCode] ?? `the service refused it (code ${returnCode})`)
      return
    }
    this.timers.push(setInterval(() => this.ping(), (keepaliveSeconds * 1_000) / 2).unref())
    this.events.onConnected()
  }

  private ping(): void {
    if (performance.now() - this.heardAtMs > silenceMs) this.cut('the service was silent for too long')
    else this.send({ cmd: 'pingreq' })
  }

  private after(ms: number, act: () => void): void {
    this.timers.push(setTimeout(act, ms).unref())
  }

  private send(packet: Packet): void {
    if (this.socket.writable) this.socket.write(mqtt.generate(packet))
  }
}
