import type { Answer } from './answer.ts'

/** A request that has arrived whole. */
export interface Request {
  readonly method: string
  /** With the query. */
  readonly path: string
  /** Names in lower case. */
  readonly headers: Headers
  readonly body: Buffer
  /** Number of the connection it came on. */
  readonly connection: number
  /** Of HTTP/2; 0 on HTTP/1.1. */
  readonly stream: number
}

export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** A request and the ways to answer it, good and bad. HTTP/1.1 takes for each fault what comes nearest to it. */
export interface Exchange extends Request {
  respond(answer: Answer): void
  /** A body that goes on for as long as somebody reads. */
  respondEndlessly(answer: Answer): void
  /** The request stays without an answer. */
  hang(): void
  /** RST_STREAM. */
  abort(code: number): void
  /** Resets the TCP connection. */
  reset(): void
  /** The connection stays open and does nothing any more, in either direction. */
  fallSilent(): void
  /** GOAWAY; streams above the last one are refused. `below`: this one too. */
  goAway(lastStream: 'at' | 'below'): void
  /** SETTINGS_MAX_CONCURRENT_STREAMS. */
  announceStreams(maxConcurrentStreams: number): void
}

export function header(request: Request, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : value?.[0]
}
