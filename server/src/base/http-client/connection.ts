import type { Call } from './call.ts'

/** A line to the host: HTTP/2 with many requests at once, or HTTP/1.1 with one. */
export interface Connection {
  /** How many more requests may go now. */
  readonly room: number
  /** How many it is expected to carry once it has proven itself, besides those under way. */
  readonly expectedRoom: number
  readonly hasAnswered: boolean
  /** False: the connection cannot be used any more, has left the pool, and nothing of the call was sent. */
  send(call: Call): boolean
  /** Once per tick: deadlines, silence, idleness. */
  sweep(): void
  /** No new requests; ends after the last. */
  drain(): void
}

/** How long things may take, in ticks of the pool's one timer. */
export interface Patience {
  request: number
  ping: number
  pong: number
  idle: number
  /** How long a drained connection may take to close before it is cut. */
  linger: number
}

/** What a connection tells the pool. */
export interface ConnectionOwner {
  readonly tick: number
  readonly patience: Patience
  /** There is room for another request. */
  freed(): void
  /** The first answer came. */
  proven(): void
  /** It takes no new requests; with a fault when that was not our wish. Once. */
  left(connection: Connection, fault?: string): void
  /** Its socket is closed and all its requests have ended. Once, after `left`. */
  ended(connection: Connection): void
}

export const maxAnswerBytes = 64 * 1024
