import { once } from 'node:events'
import { createServer as createHttp1Server } from 'node:http'
import { performServerHandshake } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import { Connection } from './connection.ts'
import { serveHttp1 } from './http1-exchange.ts'
import { serveSession } from './http2-exchange.ts'
import { createPlainServer, createSecureServer, listenBeside } from './listen.ts'
import type { Exchange } from './request.ts'

export interface ProviderServerOptions {
  host: string
  port: number
  /** Without it the server is plain: HTTP/2 with prior knowledge, or HTTP/1.1. */
  tls?: { key: string; certificate: string }
  protocols: readonly ('h2' | 'http/1.1')[]
  maxConcurrentStreams: number
  /** How many streams a connection may have before the first 200 on it. */
  firstStreams?: number
  nextConnectionNo: () => number
  onExchange: (exchange: Exchange) => void
}

export interface ProviderServer {
  port: number
  close(): Promise<void>
}

/** One port that speaks HTTP/2 and HTTP/1.1, told apart by ALPN or by the first bytes. */
export async function openProviderServer(options: ProviderServerOptions): Promise<ProviderServer> {
  const { host, tls, protocols, firstStreams, maxConcurrentStreams, onExchange } = options
  const sockets = new Set<Socket>()
  const lines = new WeakMap<Socket, Connection>()
  const http1 = createHttp1Server((request, response) => {
    const line = lines.get(request.socket)
    if (line) serveHttp1(request, response, line, onExchange)
  })
  http1.on('clientError', (_error, socket) => socket.destroy())

  const hold = (tcp: Socket) => {
    tcp.setNoDelay(true)
    tcp.on('error', () => undefined)
    sockets.add(tcp)
    tcp.on('close', () => sockets.delete(tcp))
  }
  const serve = (socket: Socket, tcp: Socket, isHttp2: boolean) => {
    socket.on('error', () => undefined)
    if (!protocols.includes(isHttp2 ? 'h2' : 'http/1.1')) return void socket.destroy()
    const line = new Connection(options.nextConnectionNo(), tcp, firstStreams && maxConcurrentStreams)
    if (isHttp2) {
      const settings = { maxConcurrentStreams: firstStreams ?? maxConcurrentStreams }
      serveSession(performServerHandshake(socket, { settings, maxSessionRejectedStreams: 100_000 }), line, onExchange)
    } else {
      lines.set(socket, line)
      http1.emit('connection', socket)
    }
  }
  const create = () => (tls ? createSecureServer({ ...tls, protocols }, hold, serve) : createPlainServer(hold, serve))

  const server = create()
  server.listen(options.port, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const beside = create()
  const servers = (await listenBeside(beside, host, port)) ? [server, beside] : [server]
  return {
    port,
    async close() {
      const closed = servers.map((each) => once(each, 'close'))
      for (const each of servers) each.close()
      for (const socket of sockets) socket.destroy()
      await Promise.all(closed)
    },
  }
}
