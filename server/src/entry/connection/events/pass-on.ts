import { busOf } from '../../../base/bus/bus.ts'
import { limits } from '../../../base/config.ts'
import { limitTurns } from '../../../base/turns.ts'
import type { Client } from '../connection.ts'
import type { Door } from '../door.ts'
import type { PublishAnswer } from '../reasons.ts'
import type { PassedEvent } from './event-packets.ts'

/** As other processes are told of it. */
export interface ToldEvent extends PassedEvent {
  /** In base64. */
  payload: string
}

export const eventTopic = 'event'
const tellInTurn = limitTurns({ atOnce: 64 })

/**
 * An event goes to whoever is subscribed at this moment, in this process and the others, and is not kept. Whoever
 * publishes it is not read further until it has gone out.
 */
export async function passOn(published: {
  connection: { door: Door }
  client: Client
  name: string
  payload: Buffer
}): Promise<PublishAnswer> {
  const { connection, client, name, payload } = published
  if (payload.length > limits.passedOnBytes) return 'too-large'
  const { ctx, installationId } = client
  const event = { appId: ctx.app.id, label: ctx.app.label, name, installationId }
  await Promise.all([connection.door.fanOut.write(event, payload), tellOthers(connection.door, event, payload)])
  return 'accepted'
}

async function tellOthers({ store, peers }: Door, event: PassedEvent, payload: Buffer): Promise<void> {
  if (!peers.areThere) return
  await tellInTurn(() => {
    const told: ToldEvent = { ...event, payload: payload.toString('base64') }
    return busOf(store).tell(eventTopic, told)
  })
}
