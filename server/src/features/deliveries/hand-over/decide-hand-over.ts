import type { Cap, DeliveryReason } from '@peyk/contract'
import type { CapState } from './cap.ts'

/** What a message with a category, or one that is a test, says of itself. */
export interface HandOverRules {
  /** Undefined for a transactional message: only its own test keeps it back. */
  category: string | undefined
  respectsQuietHours: boolean
  whenCapped: 'drop' | 'wait'
  /** Shown to nobody: it neither waits for quiet hours nor counts against caps. */
  isSilent: boolean
  /** For who has the app open now: it cannot wait. */
  isLive: boolean
  expiresAt: Date
}

/** What is known of a user when a message is handed over. */
export interface HandOverFacts {
  isInControlGroup: boolean
  isWanted: boolean
  /** In the control group of the message itself. */
  isInOwnControl?: boolean
  /** They get the winner of the test, which is not known before. */
  winnerAt?: Date | undefined
  quietUntil: Date | undefined
  cap: CapState
}

export type HandOver =
  | { kind: 'go' }
  | { kind: 'wait'; until: Date; for: 'quiet-hours' | 'winner' }
  | { kind: 'wait'; until: Date; for: 'cap'; cap: Cap; by: string[] }
  | { kind: 'end'; reason: Extract<DeliveryReason, 'control' | 'unsubscribed'>; detailCode?: 'own-control' }
  | { kind: 'end'; reason: Extract<DeliveryReason, 'capped'>; cap: Cap; by: string[] }
  | {
      kind: 'end'
      reason: Extract<DeliveryReason, 'expired'>
      detailCode: 'ends-in-quiet-hours' | 'ends-before-winner'
    }

const go: HandOver = { kind: 'go' }

/**
 * Whether a message with a category goes to a user now, waits, or ends. The order is that of the rules: who compares must
 * not be told, who said no is not asked again, and nobody uses a cap up while they wait for the winner of a test or for
 * the morning. It never waits past the end of the message.
 */
export function decideHandOver(rules: HandOverRules, facts: HandOverFacts): HandOver {
  if (facts.isInControlGroup) return { kind: 'end', reason: 'control' }
  if (!facts.isWanted) return { kind: 'end', reason: 'unsubscribed' }
  if (facts.isInOwnControl) return { kind: 'end', reason: 'control', detailCode: 'own-control' }
  const { winnerAt, quietUntil, cap } = facts
  if (winnerAt) {
    if (winnerAt >= rules.expiresAt) return { kind: 'end', reason: 'expired', detailCode: 'ends-before-winner' }
    return { kind: 'wait', until: winnerAt, for: 'winner' }
  }
  if (rules.isSilent) return go
  if (quietUntil && rules.respectsQuietHours) {
    if (rules.isLive || quietUntil >= rules.expiresAt) {
      return { kind: 'end', reason: 'expired', detailCode: 'ends-in-quiet-hours' }
    }
    return { kind: 'wait', until: quietUntil, for: 'quiet-hours' }
  }
  if (cap.kind !== 'full') return go
  const until = new Date(cap.untilMs)
  const full = { cap: cap.cap, by: cap.by }
  if (rules.whenCapped === 'drop' || rules.isLive || until >= rules.expiresAt) {
    return { kind: 'end', reason: 'capped', ...full }
  }
  return { kind: 'wait', until, for: 'cap', ...full }
}
