import type { ISubscribePacket } from 'mqtt-packet'
import { changeSubscriptions } from '#features/installations/channels/change-subscriptions.ts'
import type { ClientConnection } from '../client-connection.ts'
import type { ConnectionServices } from '../connection-services.ts'
import { readSubscription, type SubscribedTopic } from '../topics.ts'

const refusedCode = { 4: 0x80, 5: 0x87 } as const
const tooManyCode = { 4: 0x80, 5: 0x97 } as const

/**
 * [client-protocol.md#subscribing] Channels are the installation's own subscriptions and stay; what is not allowed is
 * refused one by one.
 */
export async function receiveSubscribe(
  services: ConnectionServices,
  connection: ClientConnection,
  packet: ISubscribePacket,
): Promise<void> {
  const { client, version } = connection
  if (!client) return
  // [MQTT-3.8.3-2]
  if (packet.subscriptions.length === 0) return void connection.close('protocol-error')
  const topics = packet.subscriptions.map(({ topic }) => readSubscription(topic, client.ctx.app.label, client))
  const channels = namesOf(topics, 'channel')
  const events = namesOf(topics, 'event')
  const isNothing = channels.length + events.length === 0
  const { refused, refusedEvents } = isNothing
    ? { refused: [], refusedEvents: [] }
    : await changeSubscriptions(client.ctx, {
        installationNo: client.installationNo,
        join: channels,
        leave: [],
        joinEvents: events,
        leaveEvents: [],
      })
  const full = new Set([...refused, ...refusedEvents])
  if (connection.stage === 'closed') return
  for (const key of events) {
    if (full.has(key)) continue
    client.eventTopics.add(key)
    services.connections.subscribe(connection, key)
  }
  const granted = topics.map((topic, index) => {
    if (!topic) return refusedCode[version]
    if (full.has(nameOf(topic) ?? '')) return tooManyCode[version]
    // Events are passed on and not kept, so they come with QoS 0. A channel's messages come with QoS 1 whatever was
    // asked for [ADR-0141]: a grant says what was asked, because there are clients that leave when it is more.
    return topic.kind === 'event' ? 0 : Math.min(1, packet.subscriptions[index]?.qos ?? 0)
  })
  connection.send({ cmd: 'suback', messageId: packet.messageId as number, granted })
}

function nameOf(topic: SubscribedTopic): string | undefined {
  if (topic.kind === 'channel') return topic.name
  return topic.kind === 'event' ? topic.key : undefined
}

function namesOf(topics: readonly (SubscribedTopic | undefined)[], kind: 'channel' | 'event'): string[] {
  return topics.flatMap((topic) => (topic?.kind === kind ? (nameOf(topic) ?? []) : []))
}
