import { busOf } from '#base/bus/bus.ts'
import { SharedFigures } from '#base/bus/shared-figures.ts'
import type { Store } from '#base/store/store.ts'

/** For a limit that several processes keep together. */
interface Sharing {
  store: Store
  /** The time of the service, by which their windows begin together. */
  now(): Date
  /** The same in all of them, and of no other limit. */
  name: string
}

type Counted = [window: number, count: number]

const tellEveryMs = 100
/** Below this part of the limit nobody is told: what all processes together overlook stays small. */
const untoldShare = 1 / 64

/**
 * Counts per key in windows of fixed length. The windows of all keys begin together, so that one clear() forgets the
 * old ones and memory stays bounded by the keys of one window. Several processes tell each other ten times a second what
 * they have counted of keys that are worth it, and each adds what it was told to what it counts itself.
 */
export class RateLimit {
  readonly limit: number
  private readonly windowMs: number
  private readonly now: () => number
  private readonly sharing: Sharing | undefined
  private readonly shared: SharedFigures<Counted> | undefined
  private counts = new Map<string, number>()
  private windowEndsAt = 0
  /** Undefined: this process is alone, or was when the window began. */
  private window: number | undefined

  constructor(limit: number, windowMs: number, now: () => number, sharing?: Sharing) {
    this.limit = limit
    this.windowMs = windowMs
    this.now = now
    this.sharing = sharing
    this.shared =
      sharing && new SharedFigures(sharing.store, `limit ${sharing.name}`, { everyMs: tellEveryMs, keptMs: windowMs })
  }

  /** Takes one, or as many as given; answers how many are left, below zero when the limit is passed. */
  take(key: string, amount = 1): number {
    const now = this.now()
    if (now >= this.windowEndsAt) this.beginWindow(now)
    const count = (this.counts.get(key) ?? 0) + amount
    this.counts.set(key, count)
    return this.limit - count - (this.window === undefined ? 0 : this.exchange(key, count, this.window))
  }

  secondsLeft(): number {
    return Math.max(1, Math.ceil((this.windowEndsAt - this.now()) / 1000))
  }

  private beginWindow(now: number): void {
    this.counts.clear()
    this.windowEndsAt = now + this.windowMs
    this.window = undefined
    if (!this.sharing || busOf(this.sharing.store).peers.count === 0) return
    const at = this.sharing.now().getTime()
    this.window = Math.floor(at / this.windowMs)
    this.windowEndsAt = now + this.windowMs - (at % this.windowMs)
  }

  /** Tells the others, and answers what they have counted. */
  private exchange(key: string, count: number, window: number): number {
    if (count > this.limit * untoldShare) this.shared?.set(key, [window, count])
    let counted = 0
    for (const [theirs, taken] of this.shared?.ofOthers(key) ?? []) if (theirs === window) counted += taken
    return counted
  }
}
