import type { Server as HttpServer } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { Registry } from 'prom-client'
import { busOf } from '../../base/bus/bus.ts'
import { onCutOff } from '../../base/bus/cut-off.ts'
import { hearIdentityChanges } from '../../base/bus/identity-change.ts'
import { onInbox } from '../../base/bus/inbox-bell.ts'
import { hearKeyChanges, onKeyChange } from '../../base/bus/key-change.ts'
import { type Config, limits } from '../../base/config.ts'
import type { Context } from '../../base/context.ts'
import type { Logger } from '../../base/log.ts'
import type { Loop } from '../../base/loop.ts'
import { followTls, readTls } from '../../base/tls.ts'
import { endLive } from '../../features/deliveries/inbox/end-live.ts'
import { releaseConnections } from '../../features/installations/connections/release-connections.ts'
import { Authenticator } from '../http/gate/authenticate.ts'
import { RateLimit } from '../http/gate/rate-limit.ts'
import { Turnstile } from './admission/turnstile.ts'
import { WayOut } from './admission/way-out.ts'
import { Connection } from './connection.ts'
import { Connections } from './connections.ts'
import type { Door } from './door.ts'
import { FanOut } from './events/fan-out.ts'
import { Peers } from './events/peers.ts'
import { receivePassedOn } from './events/receive-passed-on.ts'
import { Postman } from './inbox/postman.ts'
import { createMetrics } from './metrics.ts'
import type { Line } from './transport/line.ts'
import { TcpLine } from './transport/tcp-line.ts'
import { openWebSockets } from './transport/websocket.ts'
import { createUpkeep } from './upkeep.ts'

export interface ConnectionServer {
  /** The TCP side. The WebSocket side is open as soon as the HTTP server is. */
  server: Server
  listen(at: { host: string; port: number }): Promise<string>
  /** Everybody is told goodbye, and what they acknowledged is stored. */
  close(): Promise<void>
}

interface Given extends Pick<Context, 'store' | 'now' | 'log' | 'outside'> {
  config: Config
  /** Whether what waits in the inboxes may go out; it may unless given. */
  mayDeliver?: () => boolean
  http: HttpServer
  registry?: Registry
}

/** The own connection's door: MQTT 3.1.1 and 5, over TCP and over WebSocket on the HTTP port. */
export async function createConnectionServer(given: Given): Promise<ConnectionServer> {
  const { store, config, now, log, outside } = given
  const bus = busOf(store)
  const tick = () => performance.now()
  const connections = new Connections()
  const metrics = createMetrics(given.registry, connections)
  const door: Door = {
    store,
    now,
    log,
    outside,
    config,
    holder: bus.id,
    connections,
    peers: new Peers(),
    fanOut: new FanOut(connections, metrics),
    postman: new Postman({ store, now, log }, given.mayDeliver),
    turnstile: new Turnstile(),
    wayOut: new WayOut(),
    authenticator: new Authenticator(store, tick),
    failedKeys: new RateLimit(config.failedTokensPerWindow, limits.rateWindowMs, tick),
    metrics,
    isClosing: false,
  }

  const open = (line: Line) => new Connection(door, line)
  const { server, follow } = await createTcpServer(config, log, (socket) => {
    const isFull = connections.countAt(socket.remoteAddress ?? '') >= config.connectionsPerAddress
    if (isFull || door.isClosing) socket.destroy()
    else new TcpLine(socket, door.wayOut, open)
  })
  server.on('error', (error) => log.warn({ err: error }, 'a connection could not be accepted'))
  const stopWebSockets = openWebSockets(door, given.http, open)
  const { watch, hold } = createUpkeep(door)
  const stops = [
    onInbox(store, ({ appId, installationNo, fresh }) => {
      const connection = connections.find(installationNo)
      if (connection && fresh) door.postman.offer(connection, appId, fresh)
      else if (connection) door.postman.wake(connection)
      return connection !== undefined
    }),
    receivePassedOn(door),
    bus.on('joined', () => door.peers.noteJoined(performance.now())),
    hearIdentityChanges(store),
    hearKeyChanges(store),
    onKeyChange(store, () => watch.wake()),
    onCutOff(store, ({ installationNo, connectionId }) => {
      const connection = connections.find(installationNo)
      if (connection?.id !== connectionId) return false
      connection.close('unregistered')
      return true
    }),
    bus.on('taken-over', (connectionId) => {
      for (const connection of connections.all) if (connection.id === connectionId) connection.close('taken-over')
    }),
  ]
  const upkeep = [watch, hold, ...(follow ? [follow] : [])]
  for (const loop of upkeep) loop.start()

  return {
    server,
    listen: ({ host, port }) => listenAt(server, host, port),
    close: async () => {
      door.isClosing = true
      if (server.listening) server.close()
      for (const stop of stops) stop()
      await door.postman.stop()
      for (const connection of connections.all) connection.close('shutting-down')
      await Promise.all(upkeep.map((loop) => loop.stop()))
      await store.drain()
      stopWebSockets()
      await releaseConnections(door, { holder: door.holder })
      await endLive(door, { installations: connections.left })
    },
  }
}

/** With TLS also who looks whether the certificate was renewed. */
async function createTcpServer(
  { mqttTls }: Config,
  log: Logger,
  onSocket: (socket: Socket) => void,
): Promise<{ server: Server; follow?: Loop }> {
  if (!mqttTls) return { server: createServer({ allowHalfOpen: true }, onSocket) }
  const first = await readTls(mqttTls)
  const server = createTlsServer({ ...first, allowHalfOpen: true, handshakeTimeout: limits.handshakeMs }, onSocket)
  return { server, follow: followTls(mqttTls, server, { first, log }) }
}

function listenAt(server: Server, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      resolve(host)
    })
  })
}
