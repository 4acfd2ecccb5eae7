import type { PoolAnswer } from '#base/http-client/pool.ts'
import type { Outcome } from '../provider.ts'
import { readWait } from './read-retry-after.ts'

export type Answer = Extract<PoolAnswer, { kind: 'answer' }>

/** A provider that says "now" has not thought of everybody who heard it. */
const shortestWaitMs = 1_000
export const quotaWaitMs = 60_000
export const faultWaitMs = 10_000
const unreachedWaitMs = 5_000

/** What became of a request to which no answer came. */
export function readNoAnswer(answer: Exclude<PoolAnswer, Answer>): Outcome {
  const { detail } = answer
  if (answer.kind === 'unclear') return { kind: 'unknown', detail }
  if (answer.wasWithdrawn) return { kind: 'later', retryAfterMs: 0, isForAll: false, wasWithdrawn: true, detail }
  return { kind: 'later', retryAfterMs: unreachedWaitMs, isForAll: false, isFault: true, detail }
}

/**
 * Not now. Where a provider gives a time for one of its faults, it speaks of itself and not of the device; without a
 * time a single 500 says nothing about the next request, and the breaker counts them.
 */
export function later(
  answer: Answer,
  now: Date,
  wait: { defaultMs: number; isForAll?: boolean; isQuota?: boolean },
  detail: string,
): Outcome {
  const said = readWait(answer, now)
  return {
    kind: 'later',
    retryAfterMs: said === undefined ? wait.defaultMs : Math.max(said, shortestWaitMs),
    isForAll: wait.isForAll ?? said !== undefined,
    ...(wait.isQuota && { isQuota: true }),
    ...(answer.status >= 500 && { isFault: true }),
    detail,
  }
}
