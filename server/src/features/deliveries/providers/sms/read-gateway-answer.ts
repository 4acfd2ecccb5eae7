import type { PoolAnswer } from '#base/http-client/pool.ts'
import type { SuccessExpression } from '#features/accounts/credential-formats/http-gateway.ts'
import { quotaWaitMs } from '../outcomes.ts'
import { readWait } from '../read-retry-after.ts'
import type { SmsOutcome } from './sms-outcome.ts'

const unreachedWaitMs = 30_000

/** What became of an SMS that was given to a gateway of which we know only its success expression. */
export function readGatewayAnswer(answer: PoolAnswer, success: SuccessExpression, now: Date): SmsOutcome {
  if (answer.kind === 'unclear') return { kind: 'unknown', detail: answer.detail }
  if (answer.kind === 'not-sent') return { kind: 'later', retryAfterMs: unreachedWaitMs, detail: answer.detail }
  const { status } = answer
  const detail = `SMS gateway ${status}`
  if (success.statuses?.includes(status) ?? (status >= 200 && status < 300)) {
    return judgeBody(answer.body, success, detail)
  }
  if (status === 401 || status === 403) return { kind: 'paused', detail: `${detail}: it does not take our credentials` }
  if (status === 429) return { kind: 'later', retryAfterMs: readWait(answer, now) ?? quotaWaitMs, detail }
  if (status >= 500 || status === 408) return { kind: 'unknown', detail }
  return { kind: 'refused', detail }
}

function judgeBody(body: string, { path, equals, contains }: SuccessExpression, detail: string): SmsOutcome {
  if (contains !== undefined && !body.includes(contains)) {
    return { kind: 'refused', detail: `${detail}: the answer does not hold the text of success.contains` }
  }
  if (path === undefined) return { kind: 'accepted' }
  const found = findAt(body, path)
  if (found === unreadable) return { kind: 'unknown', detail: `${detail}: the answer is not JSON` }
  if (found === undefined) return { kind: 'unknown', detail: `${detail}: the answer has no ${path}` }
  return isSame(found, equals)
    ? { kind: 'accepted' }
    : { kind: 'refused', detail: `${detail}: ${path} is not ${JSON.stringify(equals)}` }
}

const unreadable = Symbol('unreadable')

function findAt(body: string, path: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return unreadable
  }
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

/** Gateways are not strict about `0` and `"0"`, nor is the person who copies it from their page. */
function isSame(found: unknown, expected: SuccessExpression['equals']): boolean {
  return ['string', 'number', 'boolean'].includes(typeof found) && String(found) === String(expected)
}
