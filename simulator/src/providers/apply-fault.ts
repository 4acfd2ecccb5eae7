import { constants } from 'node:http2'
import type { FaultAction, FaultRule } from './fault-rule.ts'
import type { Answer } from './http/answer.ts'
import type { Exchange } from './http/request.ts'

export interface FaultPlan {
  /** Undefined when the request will get no status. */
  answer: Answer | undefined
  /** The provider has taken the push, whatever the sender is told. */
  isTaken: boolean
}

const unanswered: readonly FaultAction[] = ['hang', 'half-open', 'reset', 'rst']

const page = `<!DOCTYPE html>
<html lang="en"><title>Error 502 (Server Error)</title><h1>502</h1><p>That’s an error. Please try again in 30 seconds.</html>
`

/** `own` is what the provider would have answered; `answerFault` makes what the rule asks for. */
export function planFault(rule: FaultRule, own: Answer, isAccepted: boolean, answerFault: () => Answer): FaultPlan {
  const answer = answerOf(rule, own, answerFault)
  return { answer, isTaken: isAccepted && (rule.isTaken ?? isTaken(rule, answer, own)) }
}

function answerOf(rule: FaultRule, own: Answer, answerFault: () => Answer): Answer | undefined {
  if (rule.then !== undefined && unanswered.includes(rule.then)) return undefined
  if (rule.then === 'goaway' && rule.lastStream === 'below') return undefined
  if (rule.then === 'html') {
    return {
      status: rule.status ?? 502,
      headers: { 'content-type': 'text/html; charset=UTF-8', ...retryAfter(rule) },
      body: page,
    }
  }
  if (!hasAnswer(rule)) return rule.body === undefined ? own : { ...own, body: rule.body }
  const answer = answerFault()
  return {
    ...answer,
    headers: { ...answer.headers, ...retryAfter(rule) },
    ...(rule.body !== undefined && { body: rule.body }),
  }
}

/** Whether the rule asks for an answer other than the provider's. */
function hasAnswer({ status, reason, field, retryAfter, match }: FaultRule): boolean {
  return [status, reason, field, retryAfter ?? undefined, match?.perSecond].some((each) => each !== undefined)
}

/**
 * Nothing is known of a push whose answer never came; here the provider has taken it then, which is the worse case for
 * a sender that tries again. It has not when it says so: any status but success, REFUSED_STREAM, or GOAWAY below.
 */
function isTaken(rule: FaultRule, answer: Answer | undefined, own: Answer): boolean {
  if (answer !== undefined) return answer === own || answer.status < 300
  return rule.then !== 'goaway' && !(rule.then === 'rst' && codeOf(rule) === constants.NGHTTP2_REFUSED_STREAM)
}

function retryAfter(rule: FaultRule): Record<string, string> {
  const value = rule.retryAfter === undefined && rule.match?.perSecond !== undefined ? 1 : rule.retryAfter
  if (value === undefined || value === null) return {}
  // What cannot stand in a header at all.
  return { 'retry-after': String(value).replace(/[^\t\x20-\x7e]/g, '?') }
}

function codeOf({ code = 'INTERNAL_ERROR' }: FaultRule): number {
  const number = typeof code === 'number' ? code : (constants as unknown as Record<string, unknown>)[`NGHTTP2_${code}`]
  return typeof number === 'number' && number >= 0 ? number : constants.NGHTTP2_INTERNAL_ERROR
}

/** `delay` does something after so many milliseconds. */
export function applyFault(
  exchange: Exchange,
  rule: FaultRule,
  plan: FaultPlan,
  delay: (delayMs: number, run: () => void) => void,
): void {
  if (rule.delayMs === undefined) act(exchange, rule, plan)
  else delay(rule.delayMs, () => act(exchange, rule, plan))
}

function act(exchange: Exchange, rule: FaultRule, { answer }: FaultPlan): void {
  if (rule.maxConcurrentStreams !== undefined) exchange.announceStreams(rule.maxConcurrentStreams)
  if (rule.then === 'rst') exchange.abort(codeOf(rule))
  else if (rule.then === 'reset') exchange.reset()
  else if (rule.then === 'half-open') exchange.fallSilent()
  else if (rule.then === 'endless' && answer) exchange.respondEndlessly(answer)
  else {
    if (rule.then === 'goaway') exchange.goAway(rule.lastStream ?? 'at')
    if (answer) exchange.respond(answer)
  }
}
