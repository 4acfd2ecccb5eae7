import { busOf } from '#base/bus/bus.ts'
import { limitConcurrency } from '#base/concurrency/concurrency-limit.ts'
import { limits } from '#base/config.ts'
import type { Client } from '../client-connection.ts'
import type { ConnectionServices } from '../connection-services.ts'
import type { PublishAnswer } from '../reasons.ts'
import type { PassedEvent } from './event-packets.ts'

/** As other processes are told of it. */
export interface AnnouncedEvent extends PassedEvent {
  /** In base64. */
  payload: string
}

export const eventTopic = 'event'
const tellInTurn = limitConcurrency({ atOnce: 64 })

/**
 * An event goes to whoever is subscribed at this moment, in this process and the others, and is not kept. Whoever
 * publishes it is not read further until it has gone out.
 */
export async function passOn(published: {
  services: ConnectionServices
  client: Client
  name: string
  payload: Buffer
}): Promise<PublishAnswer> {
  const { services, client, name, payload } = published
  if (payload.length > limits.passedOnBytes) return 'too-large'
  const { ctx, installationId } = client
  const event = { appId: ctx.app.id, label: ctx.app.label, name, installationId }
  await Promise.all([services.fanOut.write(event, payload), tellOthers(services, event, payload)])
  return 'accepted'
}

async function tellOthers({ store, peers }: ConnectionServices, event: PassedEvent, payload: Buffer): Promise<void> {
  if (!peers.areThere) return
  await tellInTurn(() => {
    const told: AnnouncedEvent = { ...event, payload: payload.toString('base64') }
    return busOf(store).tell(eventTopic, told)
  })
}
