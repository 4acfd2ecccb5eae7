import type { Server as HttpServer } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { Registry } from 'prom-client'
import { busOf } from '#base/bus/bus.ts'
import { type Config, limits } from '#base/config.ts'
import type { Context } from '#base/context.ts'
import type { Logger } from '#base/log.ts'
import type { Loop } from '#base/loop.ts'
import { followTls, readTls } from '#base/tls.ts'
import { onKeyChange } from '#features/accounts/access-tokens/key-change.ts'
import { takeDirectly } from '#features/deliveries/direct/direct-delivery.ts'
import { endLiveMessages } from '#features/deliveries/inbox/end-live-messages.ts'
import { onInbox } from '#features/deliveries/inbox/inbox-notifier.ts'
import { onCloseConnection } from '#features/installations/connections/close-connection.ts'
import { releaseConnections } from '#features/installations/connections/release-connections.ts'
import { onUserChange } from '#features/installations/users/user-change-notice.ts'
import { Authenticator } from '../http/gate/authenticate.ts'
import { RateLimit } from '../http/gate/rate-limit.ts'
import { ConnectAdmission } from './admission/connect-admission.ts'
import { DisconnectQueue } from './admission/disconnect-queue.ts'
import { Connection } from './connection.ts'
import type { ConnectionServices } from './connection-services.ts'
import { Connections } from './connections.ts'
import { FanOut } from './events/fan-out.ts'
import { receivePassedOn } from './events/receive-passed-on.ts'
import { InboxSender } from './inbox/inbox-sender.ts'
import { createMetrics } from './metrics.ts'
import { hearOthers } from './presence.ts'
import { followTakeOvers } from './take-overs.ts'
import { TcpTransport } from './transport/tcp-transport.ts'
import type { Transport } from './transport/transport.ts'
import { openWebSockets } from './transport/websocket.ts'
import { createUpkeep } from './upkeep.ts'

export interface ConnectionServer {
  /** The TCP side. The WebSocket side is open as soon as the HTTP server is. */
  server: Server
  listen(at: { host: string; port: number }): Promise<string>
  /** Everybody is told goodbye, and what they acknowledged is stored. */
  close(): Promise<void>
}

interface Given extends Pick<Context, 'store' | 'now' | 'log' | 'external'> {
  config: Config
  /** Whether what waits in the inboxes may go out; it may unless given. */
  mayDeliver?: () => boolean
  http: HttpServer
  registry?: Registry
}

/** The server of our own connection: MQTT 3.1.1 and 5, over TCP and over WebSocket on the HTTP port. */
export async function createConnectionServer(given: Given): Promise<ConnectionServer> {
  const { store, config, now, log, external } = given
  const bus = busOf(store)
  const tick = () => performance.now()
  const connections = new Connections()
  const metrics = createMetrics(given.registry, connections)
  const services: ConnectionServices = {
    store,
    now,
    log,
    external,
    config,
    holder: bus.id,
    connections,
    peers: bus.peers,
    fanOut: new FanOut(connections, metrics),
    inboxSender: new InboxSender({ store, now, log, external, metrics }, given.mayDeliver),
    connectAdmission: new ConnectAdmission(),
    disconnectQueue: new DisconnectQueue(),
    authenticator: new Authenticator(store, tick),
    failedKeys: new RateLimit(config.failedTokensPerWindow, limits.rateWindowMs, tick, {
      ...{ store, now },
      name: 'failed-keys',
    }),
    metrics,
    isClosing: false,
  }

  const open = (transport: Transport) => new Connection(services, transport)
  const { server, follow } = await createTcpServer(config, log, (socket) => {
    const isFull = connections.countAt(socket.remoteAddress ?? '') >= config.connectionsPerAddress
    if (isFull || services.isClosing) socket.destroy()
    else new TcpTransport(socket, services.disconnectQueue, open)
  })
  server.on('error', (error) => log.warn({ err: error }, 'a connection could not be accepted'))
  const stopWebSockets = openWebSockets(services, given.http, open)
  const { watch, hold } = createUpkeep(services)
  const stops = [
    onInbox(store, ({ appId, installationNo, fresh }) => {
      const connection = connections.find(installationNo)
      if (connection && fresh) services.inboxSender.addArrival(connection, appId, fresh)
      else if (connection) services.inboxSender.wake(connection)
      return connection !== undefined
    }),
    takeDirectly(store, ({ appId, installationNo, ...offer }) => {
      const connection = connections.find(installationNo)
      return connection !== undefined && services.inboxSender.takeDirect(connection, appId, offer)
    }),
    onUserChange(store, ({ installationNo, userId }) => {
      const client = connections.find(installationNo)?.client
      if (client) client.hasOtherUser = client.userId !== userId
    }),
    receivePassedOn(services),
    ...hearOthers(store),
    onKeyChange(store, () => watch.wake()),
    onCloseConnection(store, ({ installationNo, connectionId }) => {
      const connection = connections.find(installationNo)
      if (connection?.id !== connectionId) return false
      connection.close('unregistered')
      return true
    }),
    ...followTakeOvers(services),
  ]
  const upkeep = [watch, hold, ...(follow ? [follow] : [])]
  for (const loop of upkeep) loop.start()

  return {
    server,
    listen: ({ host, port }) => listenAt(server, host, port),
    close: async () => {
      services.isClosing = true
      if (server.listening) server.close()
      for (const stop of stops) stop()
      await services.inboxSender.stop()
      for (const connection of connections.all) connection.close('shutting-down')
      await Promise.all(upkeep.map((loop) => loop.stop()))
      await store.drain()
      stopWebSockets()
      await releaseConnections(services, { holder: services.holder })
      await endLiveMessages(services, { installations: connections.left.all })
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
