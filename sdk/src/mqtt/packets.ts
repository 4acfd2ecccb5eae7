/** The packets of MQTT 3.1.1 that a client of ours sends and gets. [MQTT 3.1.1] section numbers are in brackets. */
export type Incoming =
  | { kind: 'connack'; isSessionPresent: boolean; code: number }
  | { kind: 'publish'; topic: string; payload: Uint8Array; qos: number; isAgain: boolean; packetId: number }
  | { kind: 'puback'; packetId: number }
  | { kind: 'suback'; packetId: number; granted: number[] }
  | { kind: 'unsuback'; packetId: number }
  | { kind: 'pingresp' }

export class PacketError extends Error {}

type Bytes = Uint8Array<ArrayBuffer>

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })

export interface ConnectOptions {
  clientId: string
  username: string
  password: string
  keepAliveSeconds: number
}

/** [3.1] Clean session off: the service keeps what this client subscribed. */
export function connectPacket({ clientId, username, password, keepAliveSeconds }: ConnectOptions): Bytes {
  const hasUserAndPassword = 0b1100_0000
  const head = [...text('MQTT'), 4, hasUserAndPassword, ...number16(keepAliveSeconds)]
  return packet(0x10, head, text(clientId), text(username), text(password))
}

/** [3.8] */
export function subscribePacket(packetId: number, topics: readonly string[]): Bytes {
  return packet(0x82, number16(packetId), ...topics.flatMap((topic) => [text(topic), [1]]))
}

/** [3.10] */
export function unsubscribePacket(packetId: number, topics: readonly string[]): Bytes {
  return packet(0xa2, number16(packetId), ...topics.map(text))
}

/** [3.3] With a packet id it is of QoS 1, without one of QoS 0. */
export function publishPacket(topic: string, payload: string, packetId?: number, isAgain = false): Bytes {
  const flags = (packetId === undefined ? 0 : 0b0010) | (isAgain ? 0b1000 : 0)
  return packet(0x30 | flags, text(topic), packetId === undefined ? [] : number16(packetId), encoder.encode(payload))
}

export const pubackPacket = (packetId: number): Bytes => packet(0x40, number16(packetId))
export const pingPacket = (): Bytes => packet(0xc0)
export const disconnectPacket = (): Bytes => packet(0xe0)

/** Reads the body of one packet; its first byte and its length have been read before. */
export function readPacket(firstByte: number, body: Uint8Array): Incoming {
  const flags = firstByte & 0x0f
  switch (firstByte >> 4) {
    case 2:
      return { kind: 'connack', isSessionPresent: (byteAt(body, 0) & 1) === 1, code: byteAt(body, 1) }
    case 3:
      return readPublish(flags, body)
    case 4:
      return { kind: 'puback', packetId: idAt(body, 0) }
    case 9:
      return { kind: 'suback', packetId: idAt(body, 0), granted: [...body.subarray(2)] }
    case 11:
      return { kind: 'unsuback', packetId: idAt(body, 0) }
    case 13:
      return { kind: 'pingresp' }
    default:
      throw new PacketError(`a server sends no packet of type ${firstByte >> 4}`)
  }
}

function readPublish(flags: number, body: Uint8Array): Incoming {
  const qos = (flags >> 1) & 3
  if (qos > 1) throw new PacketError(`QoS ${qos} was not asked for`)
  const topicEnd = 2 + idAt(body, 0)
  if (topicEnd > body.length) throw new PacketError('a topic is longer than its packet')
  const payloadStart = topicEnd + (qos === 0 ? 0 : 2)
  return {
    kind: 'publish',
    topic: readText(body.subarray(2, topicEnd)),
    payload: body.slice(payloadStart),
    qos,
    isAgain: (flags & 0b1000) !== 0,
    packetId: qos === 0 ? 0 : idAt(body, topicEnd),
  }
}

export function readText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new PacketError('a text is no UTF-8')
  }
}

function packet(firstByte: number, ...parts: ArrayLike<number>[]): Bytes {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const head = [firstByte, ...lengthBytes(length)]
  const bytes = new Uint8Array(head.length + length)
  let at = 0
  for (const part of [head, ...parts]) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** [2.2.3] Seven bits a byte, the lowest first. */
function lengthBytes(length: number): number[] {
  const bytes: number[] = []
  let rest = length
  do {
    bytes.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0))
    rest >>= 7
  } while (rest > 0)
  return bytes
}

function text(value: string): number[] {
  const bytes = encoder.encode(value)
  if (bytes.length > 65_535) throw new PacketError('a text is longer than 65,535 bytes')
  return [...number16(bytes.length), ...bytes]
}

const number16 = (value: number): number[] => [value >> 8, value & 0xff]

function byteAt(body: Uint8Array, at: number): number {
  const byte = body[at]
  if (byte === undefined) throw new PacketError('a packet ends too early')
  return byte
}

function idAt(body: Uint8Array, at: number): number {
  return (byteAt(body, at) << 8) | byteAt(body, at + 1)
}
