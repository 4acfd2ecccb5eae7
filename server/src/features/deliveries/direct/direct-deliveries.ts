import type { Context } from '#base/context.ts'
import type { Durations } from '#base/durations.ts'
import { mayInterest } from '../../outbox/outbox.ts'
import type { HeldBatch, ItemEnd, Settled } from '../dispatch/held-batch.ts'
import { platformOfDevice } from '../progress/delivery-days.ts'
import { DirectDelivery, type DirectEnd, offerDirectly } from './direct-delivery.ts'

type Services = Pick<Context, 'store' | 'now'> & { durations: Pick<Durations, 'acknowledgementMs'> }
type Waiting = Exclude<ItemEnd, undefined> & { settled: Settled }

/** The part of the time for an acknowledgement that a batch stays open for it. */
const shareOfPatience = 0.2

/**
 * Sends what would wait in inboxes to those who are connected here, and gives the batch its ends when they acknowledge.
 * What is not acknowledged soon waits in the inbox, as it would have at once.
 */
export class DirectDeliveries {
  private readonly services: Services
  private readonly batch: HeldBatch
  private readonly open: DirectDelivery[] = []
  private readonly startedAtMs = performance.now()

  constructor(services: Services, batch: HeldBatch) {
    this.services = services
    this.batch = batch
  }

  /** Answers whether it is on its way: then the batch is told how it ends. */
  send(end: Waiting): boolean {
    const { store } = this.services
    const { fresh, installationNo } = end.settled
    const { message, row } = this.batch
    // What was taken before may be in the inbox already. Whoever else wants to know of an acknowledgement is told by receipts.
    if (!fresh || row.attempts > 1 || message.hasFallback || mayInterest(store, row.appId, 'message.delivered')) {
      return false
    }
    const isStillToBeSent = () => this.batch.isOurs() && message.standing === 'running'
    const direct = new DirectDelivery(isStillToBeSent, (how) => {
      const { gone } = this.batch
      this.batch.end(this.endOf(end, how))
      return gone
    })
    const isTaken = offerDirectly(store, { appId: row.appId, installationNo, fresh, direct })
    if (isTaken) this.open.push(direct)
    return isTaken
  }

  /** Nothing more is sent of the batch. */
  waitForAcknowledgements(): void {
    if (this.open.length === 0) return
    const { acknowledgementMs } = this.services.durations
    setTimeout(() => {
      for (const direct of this.open) direct.end('waits')
    }, acknowledgementMs * shareOfPatience)
  }

  private endOf(end: Waiting, how: DirectEnd): ItemEnd {
    const { installationNo, fresh, detailCode, detailProvider } = end.settled
    const known = { installationNo, provider: 'connection', at: this.services.now() } as const
    if (how === 'acknowledged') {
      const settled: Settled = { ...known, state: 'delivered', platform: platformOfDevice(fresh?.deviceType ?? '') }
      if (detailCode) settled.detailCode = detailCode
      if (detailProvider) settled.detailProvider = detailProvider
      return { settled }
    }
    if (how !== 'waits') return { settled: { ...known, state: 'ended', reason: 'refused', detail: how.refused } }
    if (!end.putBack) return end
    const afterMs = Math.max(0, end.putBack.afterMs - (performance.now() - this.startedAtMs))
    return { ...end, putBack: { ...end.putBack, afterMs } }
  }
}
