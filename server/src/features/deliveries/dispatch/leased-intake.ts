import type { Lease } from '#base/lease.ts'
import type { Logger } from '#base/log.ts'
import { runAsService } from '#base/store/pool/connection-scope.ts'
import type { Store } from '#base/store/store.ts'
import { addWorkTaker, type LeasedWork, type LeaseOffer } from '../../messages/accept/leased-work.ts'
import { giveUpLeases } from './leases.ts'

interface Intake {
  store: Store
  log: Logger
  lease: Lease
  returningMs(): number
  /** Whether more can be taken, whatever app it is of. */
  hasRoom(): boolean
  hasRoomFor(appId: number): boolean
  send(work: readonly LeasedWork[], askedAtMs: number): Promise<void>
}

interface Taken {
  work: readonly LeasedWork[]
  askedAtMs: number
}

/**
 * Takes what this process accepts without a way through the work-list: it was stored with our lease. Where this process
 * dies, others take it when the lease has ended.
 */
export class LeasedIntake {
  private readonly intake: Intake
  private waiting: Taken[] = []
  private sending: Promise<void> | undefined
  private stopTaking: (() => void) | undefined

  constructor(intake: Intake) {
    this.intake = intake
  }

  start(): void {
    this.stopTaking = addWorkTaker(this.intake.store, { offerLease: () => this.offer() })
  }

  async stop(): Promise<void> {
    this.stopTaking?.()
    this.stopTaking = undefined
    await this.sending
  }

  private offer(): LeaseOffer | undefined {
    const { lease, returningMs, hasRoom, hasRoomFor } = this.intake
    if (!hasRoom()) return undefined
    const askedAtMs = performance.now()
    return { lease, returningMs: returningMs(), hasRoomFor, take: (work) => this.take({ work, askedAtMs }) }
  }

  private take(taken: Taken): void {
    this.waiting.push(taken)
    // Whoever comes first sends also for those after it.
    this.sending ??= runAsService(() => this.sendWaiting()).finally(() => {
      this.sending = undefined
    })
  }

  /** In the order of acceptance. A turn of the event loop lets what was committed together go together. */
  private async sendWaiting(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    while (this.waiting.length > 0) {
      const taken = this.waiting.splice(0)
      const work = taken.flatMap((each) => each.work)
      try {
        if (this.stopTaking) await this.intake.send(work, Math.min(...taken.map(({ askedAtMs }) => askedAtMs)))
        else await this.giveUp(work)
      } catch (error) {
        this.intake.log.error(
          { err: error },
          'what was accepted could not be sent at once; it is sent when its lease has ended',
        )
      }
    }
  }

  private giveUp(work: readonly LeasedWork[]): Promise<void> {
    const { store, lease } = this.intake
    return giveUpLeases(
      store,
      lease,
      work.map(({ batchNo }) => batchNo),
    )
  }
}
