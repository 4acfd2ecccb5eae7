import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answer } from './answer.ts'
import { bodyLimit, endlessChunk } from './body.ts'
import type { Connection } from './connection.ts'
import type { Exchange, Headers } from './request.ts'

class Http1Exchange implements Exchange {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly body: Buffer
  readonly connection: number
  readonly stream = 0
  private readonly response: ServerResponse
  private readonly line: Connection

  constructor(request: IncomingMessage, response: ServerResponse, line: Connection, body: Buffer) {
    this.method = request.method ?? ''
    this.path = request.url ?? '/'
    this.headers = request.headers
    this.body = body
    this.connection = line.no
    this.response = response
    this.line = line
  }

  respond({ status, headers, body = '' }: Answer): void {
    if (!this.canRespond) return
    this.response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
    this.response.end(body)
  }

  respondEndlessly({ status, headers }: Answer): void {
    if (!this.canRespond) return
    this.response.writeHead(status, headers)
    const write = () => {
      while (!this.response.destroyed && this.response.write(endlessChunk));
    }
    this.response.on('drain', write)
    write()
  }

  hang(): void {}

  abort(): void {
    this.line.reset()
  }

  reset(): void {
    this.line.reset()
  }

  fallSilent(): void {
    this.line.fallSilent()
  }

  goAway(lastStream: 'at' | 'below'): void {
    if (lastStream === 'below') this.line.reset()
    else this.response.setHeader('connection', 'close')
  }

  announceStreams(): void {}

  private get canRespond(): boolean {
    return !this.line.isSilent && !this.response.destroyed && !this.response.headersSent
  }
}

export function serveHttp1(
  request: IncomingMessage,
  response: ServerResponse,
  line: Connection,
  onExchange: (exchange: Exchange) => void,
): void {
  const chunks: Buffer[] = []
  let size = 0
  request.on('error', () => undefined)
  response.on('error', () => undefined)
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > bodyLimit) line.reset()
    else chunks.push(chunk)
  })
  request.on('end', () => {
    if (request.complete && !line.isSilent) {
      onExchange(new Http1Exchange(request, response, line, Buffer.concat(chunks)))
    }
  })
}
