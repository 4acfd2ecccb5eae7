import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { limits } from '#base/config.ts'
import { RequestError } from '#base/errors.ts'
import { readStoreError } from '#base/store/store-error.ts'
import { isOriginAllowed } from '#features/accounts/access-tokens/is-origin-allowed.ts'
import { errorBody } from '../../http/answer/answer-error.ts'
import { checkOrigin, labelOfHost } from '../../http/gate/authenticate.ts'
import type { ConnectionServices } from '../connection-services.ts'
import { clientAddress, trustedProxies } from './client-address.ts'
import { probeWhenSilent } from './probe-when-silent.ts'
import type { Transport, TransportListener } from './transport.ts'
import { WebSocketTransport } from './websocket-transport.ts'

const paths = new Set(['/', '/mqtt', '/mqtt/'])
const subprotocol = 'mqtt'
/** A client sends a packet in one frame, or a few. */
const maxFragments = 64

/** [client-protocol.md#connecting] WebSocket on the HTTP port, at `/mqtt` and `/`, with the subprotocol `mqtt`. */
export function openWebSockets(
  services: ConnectionServices,
  server: Server,
  listen: (transport: Transport) => TransportListener,
): () => void {
  const webSockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    autoPong: false,
    perMessageDeflate: false,
    maxPayload: limits.packetBytes,
    maxFragments,
    maxBufferedChunks: 1024,
    handleProtocols: () => subprotocol,
  })
  const trusted = trustedProxies(services.config.trustProxy)

  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const { origin, host, 'x-forwarded-for': forwarded } = request.headers
    const address = clientAddress(request.socket.remoteAddress ?? '', String(forwarded ?? ''), trusted)
    checkRoom(services, address)
    if (origin !== undefined) {
      await checkPage(services, request, origin)
      // Others of this address may have come in meanwhile.
      checkRoom(services, address)
    }
    if (socket.destroyed) return
    probeWhenSilent(request.socket)
    webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      new WebSocketTransport(webSocket, { address, origin, host }, services.disconnectQueue, listen)
    })
  }

  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const onError = () => socket.destroy()
    socket.on('error', onError)
    upgrade(request, socket, head)
      .catch((error) => refuse(services, socket, readStoreError(error)))
      .finally(() => socket.off('error', onError))
  }
  // Others that ask for an upgrade, to HTTP/2 for instance, are answered as if they had not.
  const upgrading = server as Server & { shouldUpgradeCallback: (request: IncomingMessage) => boolean }
  upgrading.shouldUpgradeCallback = isForUs
  server.on('upgrade', onUpgrade)
  return () => void server.off('upgrade', onUpgrade)
}

function isForUs({ url = '', headers }: IncomingMessage): boolean {
  const asked = String(headers['sec-websocket-protocol'] ?? '').split(',')
  return (
    headers.upgrade?.toLowerCase() === 'websocket' &&
    paths.has(url.split('?', 1)[0] as string) &&
    asked.some((name) => name.trim().toLowerCase() === subprotocol)
  )
}

function checkRoom({ isClosing, connections, config }: ConnectionServices, address: string): void {
  if (isClosing) throw new RequestError('shutting-down', 'The service is stopping. Try again shortly.')
  if (connections.countAt(address) < config.connectionsPerAddress) return
  throw new RequestError('too-many-requests', 'There are too many connections from this address.')
}

/** The key comes with CONNECT. What can be known before: that this page may not use any, or not the one in the query. */
async function checkPage(
  services: ConnectionServices,
  { url, headers }: IncomingMessage,
  origin: string,
): Promise<void> {
  const key = new URL(url ?? '/', 'http://localhost').searchParams.get('access_token')
  if (key) return checkOrigin(await services.authenticator.find(key), origin)
  const label = labelOfHost(headers.host, services.config.baseHost)
  if (await isOriginAllowed(services, { origin, label })) return
  throw new RequestError('wrong-origin', `No client key may be used from ${origin}.`)
}

function refuse(services: ConnectionServices, socket: Duplex, error: unknown): void {
  const fault = error instanceof RequestError ? error : new RequestError('internal', 'The service failed.')
  if (fault.code === 'internal') services.log.error({ err: error }, 'a WebSocket could not be opened by our own fault')
  const body = JSON.stringify(errorBody(fault, 'none'))
  const head = [
    `HTTP/1.1 ${fault.status} ${fault.name}`,
    'Content-Type: application/json; charset=utf-8',
    'Connection: close',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
