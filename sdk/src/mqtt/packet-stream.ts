import { type Incoming, PacketError, readPacket } from './packets.ts'

const maxPacketBytes = 4 * 1024 * 1024

/** Makes packets of what a socket brings, wherever it was cut. */
export class PacketStream {
  private rest: Uint8Array = new Uint8Array(0)

  /** The packets that are whole with this chunk. A broken stream throws a PacketError. */
  read(chunk: Uint8Array): Incoming[] {
    this.rest = this.rest.length === 0 ? chunk : join(this.rest, chunk)
    const packets: Incoming[] = []
    let at = 0
    for (;;) {
      const size = sizeAt(this.rest, at)
      if (!size || size.bodyStart + size.length > this.rest.length) break
      const end = size.bodyStart + size.length
      packets.push(readPacket(this.rest[at] as number, this.rest.subarray(size.bodyStart, end)))
      at = end
    }
    this.rest = this.rest.slice(at)
    return packets
  }
}

function join(left: Uint8Array, right: Uint8Array): Uint8Array {
  const whole = new Uint8Array(left.length + right.length)
  whole.set(left)
  whole.set(right, left.length)
  return whole
}

/** Undefined while the length is not all there. */
function sizeAt(bytes: Uint8Array, start: number): { bodyStart: number; length: number } | undefined {
  let length = 0
  for (let digit = 0; digit < 4; digit++) {
    const byte = bytes[start + 1 + digit]
    if (byte === undefined) return undefined
    length += (byte & 0x7f) * 128 ** digit
    if (length > maxPacketBytes) throw new PacketError('a packet is too large')
    if ((byte & 0x80) === 0) return { bodyStart: start + 2 + digit, length }
  }
  throw new PacketError('the length of a packet has more than four bytes')
}
