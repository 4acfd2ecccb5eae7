import { randomInt } from 'node:crypto'
import { timeOfId } from '../../../base/ids.ts'
import type { DirectDelivery, DirectEnd } from '../../../features/deliveries/direct/direct-delivery.ts'

/** How many messages may be on their way to a client at a time. */
const widestWindow = 32
const lastPacketId = 0xffff

/**
 * The messages that are on their way to one client.
 *
 *   read from the inbox ──▶ in flight ──PUBACK──▶ acknowledged ──commit──▶ gone
 *                               └──────connection ends──────▶ waits in the inbox
 *
 * Most clients are at rest, and what is empty would weigh a kilobyte for each: it is made when it is needed.
 */
export class InFlightWindow {
  readonly window: number
  /** There may be more in the inbox than was read. */
  mayHaveMore = true
  readonly connectedAt: Date
  private inFlight: Map<number, string> | undefined
  /** Recalled messages that the client is being told of, by packet. */
  private clearsInFlight: Map<number, string> | undefined
  /** Not to be told again: in flight, or acknowledged but not committed. */
  private clears: Set<string> | undefined
  /** Not to be read from the inbox again: in flight, acknowledged but not committed, or too large for the client. */
  private held: Set<string> | undefined
  /** Of what is in flight and not stored yet. */
  private directs: Map<string, DirectDelivery> | undefined
  /** What was sent before, over this connection or an earlier one. */
  private sentBefore: Set<string> | undefined
  private readonly isPastKnown: boolean
  /** Begins anywhere: what a client acknowledges of an earlier connection would else be taken for something of this one. */
  private packetId = randomInt(lastPacketId)

  /** `earlier`: what may have been sent over an earlier connection; undefined when nobody knows. */
  constructor(options: { receiveMaximum: number; connectedAt: Date; earlier: readonly string[] | undefined }) {
    this.window = Math.min(widestWindow, options.receiveMaximum)
    this.connectedAt = options.connectedAt
    if (options.earlier?.length) this.sentBefore = new Set(options.earlier)
    this.isPastKnown = options.earlier !== undefined
  }

  get room(): number {
    return this.window - (this.inFlight?.size ?? 0) - (this.clearsInFlight?.size ?? 0)
  }

  get without(): string[] {
    return this.held ? [...this.held] : []
  }

  get clearing(): string[] {
    return this.clears ? [...this.clears] : []
  }

  get unacknowledged(): string[] {
    return this.inFlight ? [...this.inFlight.values()] : []
  }

  holds(messageId: string): boolean {
    return this.held?.has(messageId) === true
  }

  /** Answers the packet's id, and whether the message may have been sent before. */
  send(messageId: string): { packetId: number; isAgain: boolean } {
    const packetId = this.nextPacketId()
    this.inFlight ??= new Map()
    this.inFlight.set(packetId, messageId)
    this.hold(messageId)
    const isAgain = this.sentBefore?.has(messageId) || (!this.isPastKnown && timeOfId(messageId) < this.connectedAt)
    return { packetId, isAgain }
  }

  /** Undefined when the client is being told already. */
  sendClear(messageId: string): number | undefined {
    if (this.clears?.has(messageId)) return undefined
    const packetId = this.nextPacketId()
    this.clearsInFlight ??= new Map()
    this.clearsInFlight.set(packetId, messageId)
    this.clears ??= new Set()
    this.clears.add(messageId)
    return packetId
  }

  /** Undefined for a packet that told of no recall. */
  acknowledgeClear(packetId: number): string | undefined {
    const messageId = this.clearsInFlight?.get(packetId)
    this.clearsInFlight?.delete(packetId)
    return messageId
  }

  /** That the client was told is committed, or could not be: then it is told again. */
  releaseClear(messageId: string): void {
    this.clears?.delete(messageId)
  }

  private nextPacketId(): number {
    do this.packetId = (this.packetId % lastPacketId) + 1
    while (this.inFlight?.has(this.packetId) || this.clearsInFlight?.has(this.packetId))
    return this.packetId
  }

  hold(messageId: string): void {
    this.held ??= new Set()
    this.held.add(messageId)
  }

  /** Undefined for a packet that was not sent, or was acknowledged before. */
  acknowledge(packetId: number): string | undefined {
    const messageId = this.inFlight?.get(packetId)
    this.inFlight?.delete(packetId)
    return messageId
  }

  /** What was just sent is not stored yet: whoever waits for its end is told. */
  addDirect(messageId: string, direct: DirectDelivery): void {
    this.directs ??= new Map()
    this.directs.set(messageId, direct)
  }

  /** Answers when what became of the message is stored. Undefined where something is stored of it already, which has to be changed. */
  endDirect(messageId: string, how: DirectEnd): Promise<void> | undefined {
    const direct = this.directs?.get(messageId)
    this.directs?.delete(messageId)
    return direct?.end(how)
  }

  /** The connection has ended. */
  endAllDirect(): void {
    for (const messageId of [...(this.directs?.keys() ?? [])]) void this.endDirect(messageId, 'waits')
  }

  /** The acknowledgement is committed. */
  release(messageId: string): void {
    this.held?.delete(messageId)
  }

  /** The acknowledgement could not be committed: the message comes again. */
  putBack(messageId: string): void {
    this.held?.delete(messageId)
    this.sentBefore ??= new Set()
    this.sentBefore.add(messageId)
    this.mayHaveMore = true
  }
}
