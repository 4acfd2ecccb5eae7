/** From acceptance to the sender, on a machine that is not busy. */
const usualMs = 20
const [shortestMs, longestMs] = [50, 1_000]
const forgottenAfterMs = 250

/**
 * [ADR-0292] Group messages give way to personal ones: while these take long to be sent, more of a group is taken only after a rest,
 * which doubles until they are quick again. Without personal messages there is no rest.
 */
export class GiveWay {
  private tookMs = 0
  private notedAtMs = Number.NEGATIVE_INFINITY
  private restMs = 0

  /** How long a personal message took from its acceptance until a sender had it. */
  note(tookMs: number): void {
    this.tookMs = tookMs
    this.notedAtMs = performance.now()
  }

  /** In milliseconds, before more of a group is taken. */
  nextRest(): number {
    const isSlow = this.tookMs > usualMs && performance.now() - this.notedAtMs < forgottenAfterMs
    this.restMs = isSlow ? Math.min(longestMs, Math.max(shortestMs, this.restMs * 2)) : Math.floor(this.restMs / 2)
    return this.restMs < shortestMs ? 0 : this.restMs
  }
}
