import { ProtocolFault } from './protocol-fault.ts'

/** Enough for a host that responds to a thousand requests after nobody waits for them any more. */
const maxCredit = 10_000
const creditPerSecond = 1_000
const creditPerRequest = 8
/** A host may widen a stream and the connection for every byte of a body that waits for its windows. */
const creditPerWaitingByte = 2
const bytesPerCredit = 64

/**
 * Limits the frames that carry nothing of a response we wait for: settings, pings, windows, unknown kinds, and frames of
 * streams that have ended. Each costs us time, however few bytes it has, so bytes alone are no limit.
 */
export class FrameBudget {
  private credit = maxCredit
  private filledAt = performance.now()

  addRequest(): void {
    this.add(creditPerRequest)
  }

  addWaitingBytes(count: number): void {
    this.add(count * creditPerWaitingByte)
  }

  /** Throws when the host has sent more than any host needs to. */
  take(bytes: number, frames = 1): void {
    this.credit -= frames + Math.floor(bytes / bytesPerCredit)
    if (this.credit >= 0) return
    const now = performance.now()
    this.add(Math.floor(((now - this.filledAt) / 1_000) * creditPerSecond))
    this.filledAt = now
    if (this.credit < 0) throw new ProtocolFault('ENHANCE_YOUR_CALM')
  }

  private add(credit: number): void {
    this.credit = Math.min(maxCredit, this.credit + credit)
  }
}
