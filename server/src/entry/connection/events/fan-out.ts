import { limits } from '#base/config.ts'
import type { ClientConnection } from '../client-connection.ts'
import type { Connections } from '../connections.ts'
import type { ConnectionMetrics } from '../metrics.ts'
import { EventPackets, type PassedEvent } from './event-packets.ts'

/** So many clients are written to for one event before the next event has its turn. */
const clientsPerTurn = 50
/** So many events have a turn before the event loop goes round. */
const turnsPerLoop = 4

/**
 * Writes events to the clients of this process that are subscribed to them, a few at a time: however many events and
 * subscribers there are, the process goes on answering meanwhile. Whoever publishes waits until all have been written to.
 */
export class FanOut {
  private readonly connections: Connections
  private readonly metrics: ConnectionMetrics
  private readonly waiting: (() => void)[] = []
  private isRunning = false

  constructor(connections: Connections, metrics: ConnectionMetrics) {
    this.connections = connections
    this.metrics = metrics
  }

  async write(event: PassedEvent, payload: Buffer): Promise<void> {
    const alias = this.connections.aliasOf(event.appId, event.installationId)
    if (alias === undefined) return
    const packets = new EventPackets(event, alias, payload)
    let count = 0
    for (const connection of this.connections.subscribersOf(event.appId, event.name, alias)) {
      if (count++ % clientsPerTurn === 0) await this.turn()
      if (connection.client && connection.stage === 'connected') this.send(connection, packets.for(connection))
    }
  }

  /** Events are not kept: who does not read what came before gets no more of them. */
  private send(connection: ClientConnection, bytes: Buffer): void {
    if (bytes.length > (connection.client?.maxPacketBytes ?? 0)) return
    const isFull = connection.transport.waitingBytes + bytes.length > limits.eventBytesWaiting
    if (!isFull) connection.write(bytes)
    this.metrics.events.inc({ result: isFull ? 'dropped' : 'sent' })
  }

  private turn(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve)
      if (this.isRunning) return
      this.isRunning = true
      setImmediate(() => this.step())
    })
  }

  private step(): void {
    for (const goOn of this.waiting.splice(0, turnsPerLoop)) goOn()
    this.isRunning = this.waiting.length > 0
    if (this.isRunning) setImmediate(() => this.step())
  }
}
