import { frameHeaderBytes, mostFrameBytes, PADDED } from './frames.ts'
import { ProtocolFault } from './protocol-fault.ts'

export type OnFrame = (type: number, flags: number, streamId: number, payload: Buffer) => void

/** Cuts what comes in into frames. */
export class FrameReader {
  private rest: Buffer | undefined
  private readonly onFrame: OnFrame

  constructor(onFrame: OnFrame) {
    this.onFrame = onFrame
  }

  push(chunk: Buffer): void {
    const bytes = this.rest ? Buffer.concat([this.rest, chunk]) : chunk
    let at = 0
    while (bytes.length - at >= frameHeaderBytes) {
      const length = bytes.readUIntBE(at, 3)
      if (length > mostFrameBytes) throw new ProtocolFault('FRAME_SIZE_ERROR')
      const start = at + frameHeaderBytes
      if (start + length > bytes.length) break
      const streamId = bytes.readUInt32BE(at + 5) & 0x7fff_ffff
      const type = bytes[at + 3] as number
      const flags = bytes[at + 4] as number
      at = start + length
      this.onFrame(type, flags, streamId, bytes.subarray(start, at))
    }
    this.rest = at < bytes.length ? bytes.subarray(at) : undefined
  }
}

/** A frame that is a number and nothing else. */
export function numberOf(payload: Buffer): number {
  if (payload.length !== 4) throw new ProtocolFault('FRAME_SIZE_ERROR')
  return payload.readUInt32BE(0)
}

export function withoutPadding(flags: number, payload: Buffer): Buffer {
  if ((flags & PADDED) === 0) return payload
  const padding = payload[0]
  if (padding === undefined || padding >= payload.length) throw new ProtocolFault('PROTOCOL_ERROR')
  return payload.subarray(1, payload.length - padding)
}
