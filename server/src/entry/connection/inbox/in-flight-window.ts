import { randomInt } from 'node:crypto'
import { timeOfId } from '#base/ids.ts'
import type { DirectDelivery, DirectEnd } from '#features/deliveries/direct/direct-delivery.ts'

/** Messages sent over the client's earlier connections. */
export interface Past {
  /** Sent but not acknowledged; undefined if unknown. */
  unacknowledged: readonly string[] | undefined
  /** The latest time at which the last of these connections ended. */
  endsAt: Date
}

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
  /** Everything that earlier connections left in the inbox has been sent over this one. */
  wasReadToTheEnd = false
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
  /** Acknowledged, but the acknowledgement is not committed yet. */
  private unstored: Set<string> | undefined
  /** What was sent before, over this connection or an earlier one. */
  private sentBefore: Set<string> | undefined
  /**
   * Messages accepted before this may have been sent over an earlier connection. Undefined if all of those are known.
   */
  private pastEndsAt: Date | undefined
  /** Begins anywhere: what a client acknowledges of an earlier connection would else be taken for something of this one. */
  private packetId = randomInt(lastPacketId)

  constructor(options: { receiveMaximum: number; connectedAt: Date; past: Past }) {
    this.window = Math.min(widestWindow, options.receiveMaximum)
    this.connectedAt = options.connectedAt
    this.learnPast(options.past)
  }

  /** The process that held the earlier connection may report later what it sent. */
  learnPast({ unacknowledged, endsAt }: Past): void {
    this.pastEndsAt = unacknowledged ? undefined : endsAt
    if (!unacknowledged?.length) return
    this.sentBefore ??= new Set()
    for (const messageId of unacknowledged) this.sentBefore.add(messageId)
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

  /**
   * Messages sent over this connection, or over an earlier one if this one did not reach them, that may not be stored
   * as delivered. Each may be sent again over the next connection. Undefined if unknown.
   */
  get unacknowledged(): readonly string[] | undefined {
    const sent = [...(this.inFlight?.values() ?? []), ...(this.unstored ?? [])]
    if (this.wasReadToTheEnd) return sent
    return this.pastEndsAt ? undefined : [...new Set([...sent, ...(this.sentBefore ?? [])])]
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
    const { pastEndsAt } = this
    const isAgain = this.sentBefore?.has(messageId) || (pastEndsAt !== undefined && timeOfId(messageId) < pastEndsAt)
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
    if (messageId === undefined) return undefined
    this.inFlight?.delete(packetId)
    this.unstored ??= new Set()
    this.unstored.add(messageId)
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
    this.unstored?.delete(messageId)
  }

  /** The acknowledgement could not be committed: the message comes again. */
  putBack(messageId: string): void {
    this.release(messageId)
    this.sentBefore ??= new Set()
    this.sentBefore.add(messageId)
    this.mayHaveMore = true
  }
}
