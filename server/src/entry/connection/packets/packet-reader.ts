import mqtt, { type Packet, type Parser } from 'mqtt-packet'

export interface PacketListener {
  onPacket(packet: Packet): void
  onMalformed(error: Error): void
}

/** What of mqtt-packet's parser says where it is. */
type ParserState = Parser & {
  packet: Packet
  settings: object
  error: Error | null
  _stateCounter: number
  _list: { length: number }
}

interface SharedParser {
  parser: ParserState
  listener: PacketListener | undefined
}

const puback = 0x40
const pubackLength = 2
const mostFree = 64
const free: SharedParser[] = []

/**
 * Reads packets out of the bytes of one connection. A parser weighs more than the socket, and most connections are at
 * rest most of the time: so one is lent to a connection as long as it is in the midst of a packet.
 */
export class PacketReader {
  private readonly listener: PacketListener
  private lent: SharedParser | undefined
  /** The packet being received, in the pieces that have arrived. */
  private pieces: Buffer[] = []
  private missingBytes = 0
  /** What the parser learned from CONNECT. */
  private settings: object = {}
  private isEnded = false

  constructor(listener: PacketListener) {
    this.listener = listener
  }

  /** Of the packet that has begun and is not all there, without its header; 0 where that is not known. */
  get expectedBytes(): number {
    return Math.max(0, this.lent?.parser.packet.length ?? 0)
  }

  read(bytes: Buffer): void {
    if (this.isEnded) return
    if (bytes.length < this.missingBytes) {
      this.pieces.push(bytes)
      this.missingBytes -= bytes.length
    } else if (this.pieces.length > 0) {
      const whole = Buffer.concat([...this.pieces, bytes])
      this.pieces = []
      this.parse(whole)
    } else this.parse(bytes)
  }

  /** The parser searches all its pieces for each value, so the rest of a packet is passed as a single piece. */
  private parse(bytes: Buffer): void {
    const start = this.lent ? 0 : this.readPubacks(bytes)
    if (start === bytes.length) return
    const lent = this.lent ?? borrow()
    const { parser } = lent
    lent.listener = this.listener
    parser.settings = this.settings
    this.lent = lent
    try {
      parser.parse(start > 0 ? bytes.subarray(start) : bytes)
    } catch (error) {
      parser.error = error as Error
      this.listener.onMalformed(error as Error)
    }
    if (parser.settings !== this.settings) this.settings = settingsOf(parser.settings)
    this.missingBytes = parser.error || this.isEnded ? 0 : Math.max(0, this.expectedBytes - parser._list.length)
    if (parser.error || !isBetweenPackets(parser)) return
    this.lent = undefined
    giveBack(lent)
  }

  /** Nothing is read any more. */
  end(): void {
    this.isEnded = true
    this.lent = undefined
    this.pieces = []
  }

  /** What clients send most, and always the same four bytes. Answers where something else begins. */
  private readPubacks(bytes: Buffer): number {
    let at = 0
    while (bytes[at] === puback && bytes[at + 1] === pubackLength && at + 4 <= bytes.length) {
      this.listener.onPacket({ cmd: 'puback', messageId: bytes.readUInt16BE(at + 2), length: pubackLength })
      at += 4
    }
    return at
  }
}

function borrow(): SharedParser {
  const known = free.pop()
  if (known) return known
  const shared: SharedParser = { parser: mqtt.parser() as ParserState, listener: undefined }
  shared.parser.on('packet', (packet) => shared.listener?.onPacket(packet))
  shared.parser.on('error', (error) => shared.listener?.onMalformed(error))
  return shared
}

function giveBack(shared: SharedParser): void {
  shared.listener = undefined
  shared.parser.settings = {}
  if (free.length < mostFree) free.push(shared)
}

function isBetweenPackets({ packet, _stateCounter }: ParserState): boolean {
  return _stateCounter === 0 && packet.length === -1
}

/** The parser would keep the whole CONNECT. */
function settingsOf(settings: { protocolVersion?: number; bridgeMode?: boolean }): object {
  const { protocolVersion, bridgeMode } = settings
  return { protocolVersion, bridgeMode }
}
