import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import mqtt, { type Packet } from 'mqtt-packet'
import { limits } from '#base/config.ts'
import { disconnectInstallation } from '#features/installations/connections/disconnect-installation.ts'
import { PacketAllowance } from './admission/packet-allowance.ts'
import type { Client, ClientConnection, Stage, Version } from './client-connection.ts'
import type { ConnectionServices } from './connection-services.ts'
import { type PacketListener, PacketReader } from './packets/packet-reader.ts'
import { handlePacket } from './packets.ts'
import { type Closing, closings, type Refusal, refusals, temporaryClosings } from './reasons.ts'
import type { Transport, TransportListener } from './transport/transport.ts'

const maxConnectBytes = 64 * 1024
const maxWaitingPackets = 100
/** After so many of one client the others have their turn. */
const packetsPerTurn = 1_000
const maxOpenPublishes = 100
const nothingToWaitFor = Promise.resolve()
/** Beyond this, a client that does not read is cut off. */
const maxWaitingBytes = 1024 * 1024
/**
 * One client's connection, from the first byte to the last.
 *
 *   new ──CONNECT──▶ connecting ──CONNACK──▶ connected ──▶ closed
 *    └───────────────────┴────refused, late──────────────────▲
 *
 * Packets are taken one after the other; what has to wait for the database before it is acknowledged (a client's
 * PUBLISH) does not hold up the next one.
 */
export class Connection implements ClientConnection, TransportListener, PacketListener {
  readonly id = randomUUID()
  readonly transport: Transport
  readonly openedAtMs = performance.now()
  stage: Stage = 'new'
  version: Version = 4
  client: Client | undefined
  heardAtMs = this.openedAtMs
  /** 0: the client promised nothing. */
  keepaliveMs = 0
  fullSinceMs = 0
  private readonly services: ConnectionServices
  private readonly reader: PacketReader
  private packets: (Packet | undefined)[] = []
  /** Of packets that came and are not done with: not taken yet, or not acknowledged. */
  private heldBytes = 0
  private isTaking = false
  private isPaused = false
  private isHeldBack = false
  private allowance: PacketAllowance | undefined
  private openPublishes = 0
  private acknowledging = nothingToWaitFor

  constructor(services: ConnectionServices, transport: Transport) {
    this.services = services
    this.transport = transport
    services.connections.add(this)
    this.reader = new PacketReader(this)
  }

  onBytes(bytes: Buffer): void {
    this.reader.read(bytes)
    if (this.reader.expectedBytes > this.maxPacketBytes) return void this.close('packet-too-large')
    // So many at once are no publishes, which are longer: they are not even kept.
    if (this.packets.length > limits.packetsHeldBack) return void this.close('rate-too-high')
    void this.takePackets()
  }

  onPacket(packet: Packet): void {
    this.packets.push(packet)
    this.heldBytes += packet.length ?? 0
  }

  onDrain(): void {
    this.fullSinceMs = 0
    if (this.stage === 'connected') this.services.inboxSender.wake(this)
  }

  onClose(): void {
    this.finish('lost-line')
  }

  /** Who is not known yet gets less of our memory. */
  private get maxPacketBytes(): number {
    return this.stage === 'new' ? maxConnectBytes : limits.packetBytes
  }

  /** Asked anew after each wait. */
  private get isOver(): boolean {
    return this.stage === 'closed'
  }

  onMalformed(error: Error): void {
    if (this.stage === 'new' && /protocol version|protocolId/i.test(error.message)) return void this.refuse('version')
    this.close('malformed')
  }

  private async takePackets(): Promise<void> {
    if (this.isTaking) return void this.updateBackpressure()
    this.isTaking = true
    for (let next = 0; next < this.packets.length && !this.isOver; next++) {
      const packet = this.packets[next] as Packet
      this.packets[next] = undefined
      if (next % packetsPerTurn === packetsPerTurn - 1) await this.letOthers()
      if ((packet.length ?? 0) > this.maxPacketBytes) {
        this.close('packet-too-large')
        break
      }
      this.heardAtMs = performance.now()
      const turn = isFreeOfCharge(packet) ? undefined : this.waitForTurn(packet.length ?? 0)
      if (turn) await turn
      if (this.isOver) break
      try {
        const taken = handlePacket(this.services, this, packet)
        if (taken) await taken
      } catch (error) {
        this.services.log.error({ err: error, packet: packet.cmd }, 'a packet of a client failed by our own fault')
        this.close('unavailable')
      }
      this.heldBytes -= packet.length ?? 0
    }
    this.packets = []
    this.isTaking = false
    this.isHeldBack = false
    this.updateBackpressure()
  }

  private letOthers(): Promise<void> {
    this.updateBackpressure()
    return new Promise((resolve) => setImmediate(resolve))
  }

  /** Who asks for more than it may is not read until what came has been taken. */
  private waitForTurn(bytes: number): Promise<void> | undefined {
    const nowMs = performance.now()
    const { packetsPerWindow } = this.services.config
    const perSecond = (packetsPerWindow / limits.rateWindowMs) * 1_000
    this.allowance ??= new PacketAllowance({ perSecond, mostHeldBack: limits.packetsHeldBack, nowMs })
    const waitMs = this.allowance.take(nowMs, bytes)
    if (waitMs === 0) return undefined
    if (this.allowance.isAbused) {
      this.close('rate-too-high')
      return undefined
    }
    this.isHeldBack = true
    this.updateBackpressure()
    return delay(waitMs, undefined, { ref: false })
  }

  /** Reads on when there is room for what comes. */
  private updateBackpressure(): void {
    const isFull =
      this.isHeldBack ||
      this.packets.length > maxWaitingPackets ||
      this.openPublishes > maxOpenPublishes ||
      this.heldBytes > limits.heldBytes
    if (isFull === this.isPaused || this.stage === 'closed') return
    this.isPaused = isFull
    if (isFull) this.transport.pause()
    else this.transport.resume()
  }

  /** The client's packets are acknowledged in the order they came in [MQTT-4.6.0-2], each when its work is done. */
  acknowledgeAfter(work: Promise<() => void>, bytes: number): void {
    this.openPublishes++
    this.heldBytes += bytes
    this.acknowledging = Promise.all([work, this.acknowledging])
      .then(([acknowledge]) => {
        if (this.stage !== 'closed') acknowledge()
      })
      .catch((error) => {
        this.services.log.warn({ err: error }, 'a message of a client could not be taken')
        this.close('unavailable')
      })
      .finally(() => {
        this.openPublishes--
        this.heldBytes -= bytes
        this.updateBackpressure()
      })
  }

  send(packet: Packet): void {
    this.write(mqtt.generate(packet, { protocolVersion: this.version }))
  }

  write(bytes: Buffer): void {
    if (this.stage === 'closed') return
    this.transport.write(bytes)
    if (this.transport.waitingBytes > maxWaitingBytes) this.close('slow-reader')
  }

  refuse(refusal: Refusal): void {
    const code = refusals[refusal][this.version]
    this.services.metrics.connects.inc({ result: refusal })
    this.send({
      cmd: 'connack',
      sessionPresent: false,
      ...(this.version === 5 ? { reasonCode: code } : { returnCode: code }),
    })
    this.close('refused')
  }

  close(reason: Closing): void {
    if (this.stage === 'closed') return
    const reasonCode = closings[reason]
    if (this.version === 5 && this.stage === 'connected' && reasonCode !== undefined && reason !== 'slow-reader') {
      this.transport.write(mqtt.generate({ cmd: 'disconnect', reasonCode }, { protocolVersion: 5 }))
    }
    if (reason === 'slow-reader') this.transport.destroy()
    else this.transport.end()
    this.finish(reason)
  }

  private finish(reason: Closing): void {
    if (this.stage === 'closed') return
    this.stage = 'closed'
    this.reader.end()
    const { client, services } = this
    services.connections.remove(this)
    services.metrics.closings.inc({ reason })
    if (!client) {
      services.connections.forget(this.id)
      return
    }
    const { ctx, installationId, installationNo, inFlightWindow } = client
    const { unacknowledged } = inFlightWindow
    inFlightWindow.endAllDirect()
    const mayReturn = temporaryClosings.has(reason)
    const ended = { installationId, installationNo, connectionId: this.id, unacknowledged, mayReturn }
    // When it cannot be noted, the upkeep does it as for a process that died.
    disconnectInstallation(ctx, ended)
      .catch((error) => services.log.warn({ err: error }, 'a disconnect was not noted'))
      .finally(() => services.connections.forget(this.id))
  }
}

/** There is one CONNECT, and we ask for the acknowledgements, which are small. */
function isFreeOfCharge({ cmd, length = 0 }: Packet): boolean {
  return cmd === 'connect' || (cmd === 'puback' && length <= limits.bytesPerTurn)
}
