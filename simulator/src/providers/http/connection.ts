import { constants, type ServerHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'

/** How long a client has to leave after a GOAWAY. */
const lingerMs = 1000

/** A TCP connection of a client, whatever is spoken on it. */
export class Connection {
  readonly no: number
  isSilent = false
  session: ServerHttp2Session | undefined
  private readonly tcp: Socket
  private highestStream = 0
  private refusedAbove = Number.POSITIVE_INFINITY
  /** To be allowed after the first 200. */
  private laterStreams: number | undefined

  constructor(no: number, tcp: Socket, laterStreams?: number) {
    this.no = no
    this.tcp = tcp
    this.laterStreams = laterStreams
  }

  /** Answers false for a stream that a GOAWAY has refused. */
  begin(stream: number): boolean {
    if (stream > this.refusedAbove) return false
    if (stream > this.highestStream) this.highestStream = stream
    return true
  }

  answered(status: number): void {
    if (this.laterStreams === undefined || status !== 200) return
    this.announceStreams(this.laterStreams)
  }

  announceStreams(maxConcurrentStreams: number): void {
    this.laterStreams = undefined
    if (this.session && !this.session.destroyed && !this.session.closed) this.session.settings({ maxConcurrentStreams })
  }

  reset(): void {
    this.tcp.resetAndDestroy()
  }

  /** There is no public way to stop an HTTP/2 session from reading: it answers PINGs by itself. */
  fallSilent(): void {
    this.isSilent = true
    const { _handle: handle } = this.tcp as Socket & { _handle: { readStop(): void } | null }
    handle?.readStop()
  }

  /** Answers whether `stream` itself is refused, which it cannot be by GOAWAY when a later one was worked on. */
  goAway(stream: number, last: 'at' | 'below'): boolean {
    const isBelow = last === 'below' && this.highestStream === stream
    this.refusedAbove = Math.min(this.refusedAbove, isBelow ? Math.max(0, stream - 2) : this.highestStream)
    const { session } = this
    if (!session || session.destroyed) return isBelow
    session.goaway(constants.NGHTTP2_NO_ERROR, this.refusedAbove)
    // Closing says GOAWAY again, and with a higher id if the first has not been written yet.
    setTimeout(() => session.close(), lingerMs).unref()
    return isBelow
  }
}
