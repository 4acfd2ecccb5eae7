/** A client's socket, over TCP or WebSocket. */
export interface Transport {
  readonly kind: 'tcp' | 'websocket'
  readonly address: string
  /** The page that opened it, when it is a browser's. */
  readonly origin: string | undefined
  /** The host it was opened to, where that is known. */
  readonly host: string | undefined
  /** Bytes that were written and that the client has not taken yet. */
  readonly waitingBytes: number
  write(bytes: Buffer): void
  pause(): void
  resume(): void
  /** Closes it when what was written has gone out, or soon. */
  end(): void
  destroy(): void
}

export interface TransportListener {
  onBytes(bytes: Buffer): void
  /** What was written has gone out. */
  onDrain(): void
  onClose(): void
}

/** Who does not take the last words within this time is cut off. */
export const lastWordsMs = 2_000

/** Beyond this, nothing more is written until the client has read. */
export const fullBytes = 128 * 1024
