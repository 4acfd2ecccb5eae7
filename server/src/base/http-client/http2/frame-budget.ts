import { ProtocolFault } from './protocol-fault.ts'

/** Enough for a host that responds to a thousand requests that nobody is waiting for. */
const maxCredit = 10_000
const creditPerSecond = 1_000
const creditPerRequest = 8
/** A host may widen the stream and the connection once for every byte of a waiting body. */
const creditPerWaitingByte = 2
const bytesPerCredit = 64

/**
 * Limits frames that carry no part of a response we wait for: settings, pings, window updates, unknown types, and
 * frames of closed streams. Each costs CPU time whatever its size, so a byte limit is not enough.
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

  /** Throws if the host has sent more than any host needs to. */
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
