import type { Packet, PacketCmd } from 'mqtt-packet'
import { runForApp } from '#base/store/pool/connection-scope.ts'
import { isTracing, runAsSpan, startApart } from '#base/trace/tracing.ts'
import type { ClientConnection } from './client-connection.ts'
import type { ConnectionServices } from './connection-services.ts'
import { receiveConnect } from './packets/receive-connect.ts'
import { receiveDisconnect } from './packets/receive-disconnect.ts'
import { receivePingreq } from './packets/receive-pingreq.ts'
import { receivePuback } from './packets/receive-puback.ts'
import { receivePublish } from './packets/receive-publish.ts'
import { receiveSubscribe } from './packets/receive-subscribe.ts'
import { receiveUnsubscribe } from './packets/receive-unsubscribe.ts'

type Taken = Promise<void> | void
type Receive<Kind extends PacketCmd> = (
  services: ConnectionServices,
  connection: ClientConnection,
  packet: Extract<Packet, { cmd: Kind }>,
) => Taken

/** Every kind of packet that a client may send. The others are the server's, or belong to QoS 2, which is not offered. */
const packets: { [Kind in PacketCmd]?: Receive<Kind> } = {
  connect: receiveConnect,
  publish: receivePublish,
  puback: receivePuback,
  subscribe: receiveSubscribe,
  unsubscribe: receiveUnsubscribe,
  pingreq: receivePingreq,
  disconnect: receiveDisconnect,
}

export function handlePacket(services: ConnectionServices, connection: ClientConnection, packet: Packet): Taken {
  const receive = packets[packet.cmd] as Receive<typeof packet.cmd> | undefined
  // [MQTT-3.1.0-1, MQTT-3.1.0-2] CONNECT comes first, and once.
  const isInTurn = (packet.cmd === 'connect') === (connection.stage === 'new')
  if (!receive || !isInTurn) return void connection.close('protocol-error')
  // [MQTT-2.3.1-1]
  if (packet.messageId === 0) return void connection.close('malformed')
  const take = () => receive(services, connection, packet as never)
  const app = connection.client?.ctx.app
  // Acknowledgements are committed together with those of others.
  if (app) return packet.cmd === 'puback' ? take() : runForApp(app.id, take)
  return isTracing() && packet.cmd === 'connect' ? traceConnect(connection, take) : take()
}

function traceConnect(connection: ClientConnection, take: () => Taken): Promise<void> {
  const span = startApart('mqtt connect', { kind: 'server' })
  return runAsSpan(span, async () => {
    await take()
    const app = connection.client?.ctx.app
    span?.set({ 'peyk.app_id': app?.label, 'peyk.outcome': app ? 'connected' : 'refused' })
  })
}
