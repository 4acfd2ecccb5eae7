import { constants, type IncomingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { Answer } from './answer.ts'
import { bodyLimit, endlessChunk } from './body.ts'
import type { Connection } from './connection.ts'
import type { Exchange, Headers } from './request.ts'

class Http2Exchange implements Exchange {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly body: Buffer
  readonly connection: number
  readonly stream: number
  private readonly wire: ServerHttp2Stream
  private readonly line: Connection

  constructor(wire: ServerHttp2Stream, line: Connection, headers: IncomingHttpHeaders, body: Buffer) {
    this.method = headers[':method'] as string
    this.path = headers[':path'] as string
    this.headers = headers as Headers
    this.body = body
    this.connection = line.no
    this.stream = wire.id as number
    this.wire = wire
    this.line = line
  }

  respond({ status, headers, body }: Answer): void {
    if (!this.canRespond) return
    this.wire.respond({ ':status': status, ...headers }, body ? undefined : { endStream: true })
    if (body) this.wire.end(body)
    this.line.answered(status)
  }

  respondEndlessly({ status, headers }: Answer): void {
    if (!this.canRespond) return
    this.wire.respond({ ':status': status, ...headers })
    const write = () => {
      while (!this.wire.destroyed && this.wire.write(endlessChunk));
    }
    this.wire.on('drain', write)
    write()
  }

  hang(): void {}

  abort(code: number): void {
    if (!this.wire.destroyed) this.wire.close(code)
  }

  reset(): void {
    this.line.reset()
  }

  fallSilent(): void {
    this.line.fallSilent()
  }

  goAway(lastStream: 'at' | 'below'): void {
    const isRefused = this.line.goAway(this.stream, lastStream)
    if (lastStream === 'below' && !isRefused) this.abort(constants.NGHTTP2_REFUSED_STREAM)
  }

  announceStreams(maxConcurrentStreams: number): void {
    this.line.announceStreams(maxConcurrentStreams)
  }

  private get canRespond(): boolean {
    return !this.line.isSilent && !this.wire.destroyed && !this.wire.closed && !this.wire.headersSent
  }
}

/** Answers each stream of a session to `onExchange` when all of it is there. */
export function serveSession(session: ServerHttp2Session, line: Connection, onExchange: (exchange: Exchange) => void) {
  line.session = session
  session.on('error', () => undefined)
  session.on('stream', (wire, headers) => {
    const chunks: Buffer[] = []
    let size = 0
    wire.on('error', () => undefined)
    wire.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > bodyLimit) wire.close(constants.NGHTTP2_ENHANCE_YOUR_CALM)
      else chunks.push(chunk)
    })
    wire.on('end', () => {
      if (wire.aborted || wire.closed || line.isSilent) return
      if (!line.begin(wire.id as number)) return void wire.close(constants.NGHTTP2_REFUSED_STREAM)
      const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
      onExchange(new Http2Exchange(wire, line, headers, body))
    })
  })
}
