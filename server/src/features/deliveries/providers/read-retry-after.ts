import type { PoolAnswer } from '#base/http-client/pool.ts'

/**
 * The longest wait that is believed. Real providers ask for seconds to minutes; a header that says more than a day is
 * a fault over there, and must not silence an app for weeks.
 */
const longestWaitMs = 24 * 3_600_000
const httpDate = /^(?:[A-Z][a-z]{2,8}),? \d{1,2}[ -][A-Z][a-z]{2}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/

/** Retry-After as seconds or as an HTTP date; undefined when it is missing, negative or neither. */
export function readRetryAfter(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim()
  if (!text) return undefined
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Math.ceil(Number(text) * 1_000), longestWaitMs)
  if (!httpDate.test(text)) return undefined
  const at = Date.parse(text)
  if (Number.isNaN(at)) return undefined
  return Math.min(Math.max(0, at - now.getTime()), longestWaitMs)
}

/** A date is measured from the answer's own Date header when it has one, so that our clock need not agree with theirs. */
export function readWait(answer: Extract<PoolAnswer, { kind: 'answer' }>, now: Date): number | undefined {
  const theirs = httpDate.test(answer.headers.date ?? '') ? Date.parse(answer.headers.date as string) : Number.NaN
  return readRetryAfter(answer.headers['retry-after'], Number.isNaN(theirs) ? now : new Date(theirs))
}
