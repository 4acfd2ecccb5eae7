import type { IUnsubscribePacket } from 'mqtt-packet'
import { changeSubscriptions } from '#features/installations/channels/change-subscriptions.ts'
import type { ClientConnection } from '../client-connection.ts'
import type { ConnectionServices } from '../connection-services.ts'
import { readSubscription } from '../topics.ts'

const success = 0x00
const notAuthorised = 0x87

/** Leaves channels and events. `default` is everybody's and stays. */
export async function receiveUnsubscribe(
  services: ConnectionServices,
  connection: ClientConnection,
  packet: IUnsubscribePacket,
): Promise<void> {
  const { client } = connection
  if (!client) return
  // [MQTT-3.10.3-2]
  if (packet.unsubscriptions.length === 0) return void connection.close('protocol-error')
  const topics = packet.unsubscriptions.map((topic) => readSubscription(topic, client.ctx.app.label, client))
  const channels = topics.flatMap((topic) => (topic?.kind === 'channel' ? [topic.name] : []))
  const events = topics.flatMap((topic) => (topic?.kind === 'event' ? [topic.key] : []))
  if (channels.length + events.length > 0) {
    await changeSubscriptions(client.ctx, {
      installationNo: client.installationNo,
      join: [],
      leave: channels,
      joinEvents: [],
      leaveEvents: events,
    })
  }
  if (connection.stage === 'closed') return
  for (const key of events) {
    client.eventTopics.delete(key)
    services.connections.unsubscribe(connection, key)
  }
  const granted = connection.version === 5 ? topics.map((topic) => (topic ? success : notAuthorised)) : []
  connection.send({ cmd: 'unsuback', messageId: packet.messageId as number, granted })
}
