import { limits } from '#base/config.ts'

const MS = 1_000
/** How many seconds' worth a client may send at once. */
const burstSeconds = 4

/**
 * How fast one client may send packets that ask for something; a large one counts as several. Who is faster is read more
 * slowly: nothing is lost, and nothing is kept for it here.
 * Who has not let up for that many since it was first held back is meant to be closed.
 */
export class PacketAllowance {
  private readonly perSecond: number
  private readonly burst: number
  private readonly mostHeldBack: number
  private tokens: number
  private filledAtMs: number
  private heldBack = 0

  constructor(options: { perSecond: number; mostHeldBack: number; nowMs: number }) {
    this.perSecond = options.perSecond
    this.mostHeldBack = options.mostHeldBack
    this.burst = options.perSecond * burstSeconds
    this.tokens = this.burst
    this.filledAtMs = options.nowMs
  }

  /** One more has come, of so many bytes. Answers how long it has to wait. */
  take(nowMs: number, bytes = 0): number {
    this.tokens = Math.min(this.burst, this.tokens + ((nowMs - this.filledAtMs) / MS) * this.perSecond)
    this.filledAtMs = nowMs
    if (this.tokens >= this.burst / 2) this.heldBack = 0
    this.tokens -= Math.max(1, Math.ceil(bytes / limits.bytesPerTurn))
    // After a wait that took longer than it should a few come through at once: that is not letting up.
    if (this.tokens < 0 || this.heldBack > 0) this.heldBack++
    if (this.tokens >= 0) return 0
    return (-this.tokens / this.perSecond) * MS
  }

  get isAbused(): boolean {
    return this.heldBack > this.mostHeldBack
  }
}
