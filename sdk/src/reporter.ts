import type { clientEvents } from '@peyk/contract'
import { influenceOf, isDirect, type Receipt } from './receipt.ts'
import { callService, PeykError } from './rest.ts'
import type { Database } from './store/database.ts'
import { dequeue, enqueue, type QueuedPart, readQueue } from './store/queue.ts'
import { changeState, readState } from './store/state.ts'
import type { TrackedEvent } from './tracked-event.ts'

const elementsPerCall = 100

/**
 * Keeps events and receipts until the service has them, and sends them in their order. Pages, tabs and the service
 * worker share the queue; a lock lets one of them send at a time. What is sent twice counts once.
 */
export class Reporter {
  private readonly database: Database
  private readonly lockName: string
  /** Told when there is something new to send. */
  onAdded: () => void = () => undefined

  constructor(database: Database, appId: string) {
    this.database = database
    this.lockName = `peyk:${appId}:queue`
  }

  /** One that cannot be kept is lost: what it tells of goes on. */
  async addReceipt(receipt: Receipt): Promise<void> {
    try {
      if (receipt.actionType !== 'DELIVERED') {
        await changeState(this.database, 'lastReceipt', () => ({ ...receipt, direct: isDirect(receipt) }))
      }
      await enqueue(this.database, { type: 1, ...receipt })
    } catch (error) {
      console.warn(error)
    }
    this.onAdded()
  }

  async addEvent(event: TrackedEvent): Promise<void> {
    const influence = influenceOf(await readState(this.database, 'lastReceipt'), event.createdAt)
    await enqueue(this.database, { type: 2, data: { ...event, ...(influence && { influence }) } })
    this.onAdded()
  }

  /** Sends all there is. Throws when it must wait; then what is left is kept. */
  async flush(): Promise<void> {
    await navigator.locks.request(this.lockName, async () => {
      let size = elementsPerCall
      for (;;) {
        const part = await readQueue(this.database, size)
        if (part.keys.length === 0) return
        size = await this.send(part)
      }
    })
  }

  /** Answers how many to send next. */
  private async send({ keys, elements }: QueuedPart): Promise<number> {
    const service = await readState(this.database, 'service')
    const installation = await readState(this.database, 'installation')
    if (!service || !installation) throw new PeykError('no-installation', 'This browser is not registered yet.')
    const { id: installationId, userId } = installation
    const sessionId = (await readState(this.database, 'visit'))?.sessionId
    const body = { installationId, userId, deviceType: 'web', sessionId, createdAt: Date.now(), eventData: elements }
    try {
      await callService<typeof clientEvents>(service, '/api/installations/events', { body })
    } catch (error) {
      if (!(error instanceof PeykError) || (error.status !== 400 && error.status !== 413)) throw error
      // One of them is what the service cannot take: it is found by halves, and the others are not lost with it.
      if (keys.length > 1) return Math.ceil(keys.length / 2)
      console.error(`Peyk: the service does not take ${JSON.stringify(elements[0])?.slice(0, 200)}: ${error.message}`)
    }
    await dequeue(this.database, keys)
    return elementsPerCall
  }
}
