import { busOf } from '#base/bus/bus.ts'
import { SharedFigures } from '#base/bus/shared-figures.ts'
import type { Store } from '#base/store/store.ts'
import type { Sender } from './sender.ts'

/** How a provider has one process wait, and so all. */
interface Wait {
  ms: number
  isQuota: boolean
}

const waitEveryMs = 100
const busyEveryMs = 1_000
/** Whoever has not said for so long that it sends leaves its share to the others. */
const busyKeptMs = 2_500

/**
 * What the senders of several processes to one provider keep together. Each has an equal share of the rate: of all
 * processes when it begins, later of those that send. What a provider has one wait, all wait.
 */
export class SharedSending {
  private readonly store: Store
  private readonly ratePerSecond: number
  private readonly busy: SharedFigures<true>
  private readonly waits: SharedFigures<Wait>

  /** `key` names the app, the provider and the version of its credentials. */
  constructor(store: Store, ratePerSecond: number, findSender: (key: string) => Sender | undefined) {
    this.store = store
    this.ratePerSecond = ratePerSecond
    this.busy = new SharedFigures(store, 'sending', {
      everyMs: busyEveryMs,
      keptMs: busyKeptMs,
      onHeard: (key) => {
        const sender = findSender(key)
        if (sender) this.setRate(key, sender)
      },
    })
    this.waits = new SharedFigures(store, 'provider-waits', {
      everyMs: waitEveryMs,
      keptMs: waitEveryMs,
      onHeard: (key, { ms, isQuota }) => findSender(key)?.waitAsTold(ms, isQuota),
    })
  }

  /** Before it is known who else sends. */
  get firstRate(): number {
    return this.ratePerSecond / (1 + busOf(this.store).peers.count)
  }

  /** Called about once a second as long as there is something to send. */
  renew(key: string, sender: Sender): void {
    if (!sender.checkBusy()) return
    this.busy.set(key, true)
    this.setRate(key, sender)
  }

  /** The provider has this process wait. */
  tellWait(key: string, wait: Wait): void {
    this.waits.set(key, wait)
  }

  private setRate(key: string, sender: Sender): void {
    sender.setRate(this.ratePerSecond / (1 + this.busy.ofOthers(key).length))
  }
}
