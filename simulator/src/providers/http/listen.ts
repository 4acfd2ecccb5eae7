import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

/** `socket` is what is spoken on; `tcp` is what lies under it. */
export type OnSocket = (socket: Socket, tcp: Socket, isHttp2: boolean) => void

/** A plain port: HTTP/2 with prior knowledge begins with `PRI`, which is no method of HTTP/1.1. */
export function createPlainServer(onTcp: (tcp: Socket) => void, onSocket: OnSocket): Server {
  return createServer((tcp) => {
    onTcp(tcp)
    tcp.once('readable', () => {
      const begin: Buffer | null = tcp.read()
      if (begin === null) return
      tcp.unshift(begin)
      onSocket(tcp, tcp, 'PRI'.startsWith(begin.toString('latin1', 0, 3)))
    })
  })
}

export function createSecureServer(
  tls: { key: string; certificate: string; protocols: readonly string[] },
  onTcp: (tcp: Socket) => void,
  onSocket: OnSocket,
): Server {
  const underneath = new Map<number | undefined, Socket>()
  const server = createTlsServer({ key: tls.key, cert: tls.certificate, ALPNProtocols: [...tls.protocols] })
  server.on('connection', (tcp) => {
    onTcp(tcp)
    const port = tcp.remotePort
    underneath.set(port, tcp)
    tcp.on('close', () => underneath.delete(port))
  })
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  server.on('secureConnection', (socket) => {
    const tcp = underneath.get(socket.remotePort)
    if (tcp) onSocket(socket, tcp, socket.alpnProtocol === 'h2')
    else socket.destroy()
  })
  return server
}

/** `localhost` is both addresses of this machine, so a server on 127.0.0.1 listens on ::1 too where that can be had. */
export async function listenBeside(server: Server, host: string, port: number): Promise<boolean> {
  if (host !== '127.0.0.1') return false
  server.listen(port, '::1')
  return once(server, 'listening').then(
    () => true,
    () => false,
  )
}
