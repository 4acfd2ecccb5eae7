import type { ItemEnd, PutBack } from '../dispatch/held-batch.ts'
import type { Outcome, ProviderName } from '../provider.ts'
import type { SendItem, SendingBatch } from './send-item.ts'

const SECOND = 1_000
/** Nothing is taken for a provider while it is known to be paused, so this delay only matters after the pause. */
export const pausedWaitMs = 2 * SECOND
const longestBackOffMs = 600 * SECOND

export function putBackOf(item: SendItem, provider: ProviderName, afterMs: number): PutBack {
  return { installationNo: item.installationNo, provider, afterMs, wasUnclear: item.wasUnclear }
}

/** Between being taken and being sent, a message may be cancelled, paused, or expire, and its batch may be lost. */
export function isToBeSent({ batch }: SendItem, at: Date): boolean {
  return batch.isOurs() && batch.message.standing === 'running' && batch.message.expiresAt > at
}

export function endUnsent(item: SendItem, provider: ProviderName, at: Date): ItemEnd {
  if (item.batch.isLost) return undefined
  const { installationNo } = item
  const { standing, expiresAt } = item.batch.message
  if (standing === 'paused') return { putBack: { ...putBackOf(item, provider, 0), isPaused: true } }
  if (standing === 'cancelled') {
    const reason = item.wasUnclear ? 'unknown' : 'cancelled'
    return { settled: { installationNo, state: 'ended', reason, at, ...(item.wasUnclear && { provider }) } }
  }
  if (expiresAt <= at) return { settled: { installationNo, state: 'ended', reason: 'expired', at } }
  return { putBack: putBackOf(item, provider, 0) }
}

/** Maps a provider's outcome to the end of the delivery. */
export function endOf(item: SendItem, provider: ProviderName, outcome: Outcome, at: Date): ItemEnd {
  const { installationNo, token } = item
  const { kind, detail = '' } = outcome
  const said = { installationNo, provider, detail, at, attempt: kind }
  const ended = { ...said, state: 'ended' } as const
  // Whatever the provider responded, a connected client has the message in its inbox.
  const waiting = item.isConnected && ({ ...said, state: 'queued', isNotified: true } as const)
  switch (kind) {
    case 'accepted':
      return { settled: { installationNo, state: 'sent', provider, at, ...(item.isConnected && { isNotified: true }) } }
    case 'gone':
      return { settled: { ...(waiting || { ...ended, reason: 'gone' }), deadToken: token } }
    case 'refused':
      return {
        settled: { ...(waiting || { ...ended, reason: 'refused' }), ...(outcome.isForeign && { foreignToken: token }) },
      }
    case 'unknown':
      return { settled: { ...ended, reason: 'unknown' } }
    case 'paused':
      return { putBack: { ...putBackOf(item, provider, pausedWaitMs), attempt: { outcome: kind, detail, at } } }
    case 'later': {
      if (outcome.wasWithdrawn) return endUnsent(item, provider, at)
      const afterMs = backOff(outcome.retryAfterMs, item.batch)
      return { putBack: { ...putBackOf(item, provider, afterMs), attempt: { outcome: kind, detail, at } } }
    }
  }
}

/** Never shorter than requested. Doubles after each attempt, with jitter so that batches do not all return at once. */
function backOff(retryAfterMs: number, { row, chance }: SendingBatch): number {
  const doubled = retryAfterMs * 2 ** Math.min(row.attempts - 1, 10)
  return Math.max(retryAfterMs, Math.min(doubled, longestBackOffMs)) * (1 + chance * 0.2)
}
