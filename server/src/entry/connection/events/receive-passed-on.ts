import { busOf } from '#base/bus/bus.ts'
import { isUuid } from '#base/ids.ts'
import type { ConnectionServices } from '../connection-services.ts'
import { type AnnouncedEvent, eventTopic } from './pass-on.ts'

/** Of one app. Who tells does not wait for us, so what comes faster than it can be written is not kept. */
const mostWaiting = 500

/** What clients of other processes publish, to the clients of this one, in the order of each app. */
export function receivePassedOn(
  services: Pick<ConnectionServices, 'store' | 'log' | 'fanOut' | 'metrics'>,
): () => void {
  const { store, log, fanOut, metrics } = services
  const queues = new Map<number, { count: number; last: Promise<void> }>()
  return busOf(store).on(eventTopic, (body) => {
    if (!isToldEvent(body)) return
    const { payload, ...event } = body
    const queue = queues.get(event.appId) ?? { count: 0, last: Promise.resolve() }
    if (queue.count >= mostWaiting) return void metrics.events.inc({ result: 'dropped' })
    queue.count++
    queues.set(event.appId, queue)
    queue.last = queue.last
      .then(() => fanOut.write(event, Buffer.from(payload, 'base64')))
      .catch((error) => log.warn({ err: error }, 'an event of another process could not be passed on'))
      .finally(() => {
        queue.count--
        if (queue.count === 0) queues.delete(event.appId)
      })
  })
}

/** Anybody may NOTIFY. */
function isToldEvent(body: unknown): body is AnnouncedEvent {
  if (typeof body !== 'object' || body === null) return false
  const { appId, label, name, installationId, payload } = body as Record<string, unknown>
  const areTexts = [label, name, payload].every((text) => typeof text === 'string')
  return typeof appId === 'number' && areTexts && isUuid(installationId)
}
