import mqtt from 'mqtt-packet'
import { busOf } from '../../base/bus.ts'
import type { Client } from './connection.ts'
import type { Connections } from './connections.ts'
import type { Door } from './door.ts'
import type { PublishAnswer } from './reasons.ts'

interface PassedEvent {
  appId: number
  label: string
  name: string
  installationId: string
  payload: string
}

const topic = 'event'

/** An event goes to whoever is subscribed at this moment, in this process and the others, and is not kept. */
export async function passOn(published: {
  connection: { door: Door }
  client: Client
  name: string
  payload: Buffer
}): Promise<PublishAnswer> {
  const { connection, client, name, payload } = published
  const { ctx, installationId } = client
  const event = { appId: ctx.app.id, label: ctx.app.label, name, installationId }
  sendToSubscribers(connection.door.connections, event, payload)
  const passed: PassedEvent = { ...event, payload: payload.toString('base64') }
  busOf(ctx.store).tell(topic, passed)
  return 'accepted'
}

/** What clients of other processes publish. */
export function receivePassedOn({ store, connections }: Pick<Door, 'store' | 'connections'>): () => void {
  return busOf(store).on(topic, (body) => {
    const event = body as PassedEvent
    sendToSubscribers(connections, event, Buffer.from(event.payload, 'base64'))
  })
}

function sendToSubscribers(
  connections: Connections,
  { appId, label, name, installationId }: Omit<PassedEvent, 'payload'>,
  payload: Buffer,
): void {
  const written = new Map<number, Buffer>()
  for (const connection of connections.subscribersOf(appId, name, installationId)) {
    const { version } = connection
    const bytes =
      written.get(version) ??
      mqtt.generate(
        {
          cmd: 'publish',
          topic: `app/${label}/event/${name}/${installationId}`,
          payload,
          qos: 0,
          dup: false,
          retain: false,
        },
        { protocolVersion: version },
      )
    written.set(version, bytes)
    if (connection.stage === 'connected' && bytes.length <= (connection.client?.maxPacketBytes ?? 0))
      connection.write(bytes)
  }
}
