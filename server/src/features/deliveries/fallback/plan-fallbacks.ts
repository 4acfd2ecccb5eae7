import type { Context } from '#base/context.ts'
import { describeCode } from '../details/detail.ts'
import { describeCap, describeWait } from '../hand-over/describe-hand-over.ts'
import { type HandOverPlan, type PlannedHandOver, planHandOvers } from '../hand-over/plan-hand-overs.ts'
import { rulesOf } from '../hand-over/rules-of-message.ts'
import type { DueFallback, Postponed } from './claim-store.ts'
import type { EndOfFallback } from './decide-fallback.ts'

type Instead = EndOfFallback | Pick<Postponed, 'seconds' | 'detail'>

/**
 * Which of these SMS are not to be sent now, and what becomes of them instead: whoever is left out of a message with a
 * category, or is in the control group of a test, gets no SMS for it either, and one that comes in quiet hours waits for their end and then for its delay.
 */
export async function planFallbacks(
  { store, now }: Pick<Context, 'store' | 'now'>,
  due: readonly DueFallback[],
): Promise<Map<DueFallback, Instead>> {
  const kept = new Map<DueFallback, Instead>()
  const withRules = due.filter(({ body, assigned }) => body.category !== undefined || assigned)
  const byMessage = Map.groupBy(withRules, ({ appId, messageId }) => `${appId}/${messageId}`)
  for (const own of byMessage.values()) {
    const [{ appId, messageId: id, body, expiresAt }] = own as [DueFallback]
    const rules = expiresAt && rulesOf(body, expiresAt)
    if (!rules) continue
    const at = now()
    const numberOf = new Map(own.map((each, index) => [each, each.userNo ?? unknownUser(index)]))
    const users = [...numberOf].map(([{ userId, assigned }, userNo]) => ({ userNo, userId, isReached: true, assigned }))
    const [plan] = await planHandOvers(store, appId, [{ id, rules, users }], at)
    if (!plan) continue
    for (const [each, userNo] of numberOf) {
      const instead = insteadOf(plan, plan.users.get(userNo), each, at)
      if (instead) kept.set(each, instead)
    }
  }
  return kept
}

/** Of somebody who was never heard of, and has said nothing: a number that no user has. */
function unknownUser(index: number): number {
  return -1 - index
}

const ends = {
  'ends-in-quiet-hours': 'the message would have expired before the quiet hours ended',
  'ends-before-winner': 'the message would have expired before the winner of its test was known',
}

function insteadOf(
  plan: HandOverPlan,
  decision: PlannedHandOver | undefined,
  { delaySeconds }: DueFallback,
  at: Date,
): Instead | undefined {
  if (!decision || decision.kind === 'go') return undefined
  if (decision.kind === 'wait') {
    const seconds = (decision.until.getTime() - at.getTime()) / 1_000 + delaySeconds
    return { seconds, detail: describeWait(plan, decision) }
  }
  switch (decision.reason) {
    case 'control':
      return {
        state: 'refused',
        detail: decision.detailCode ? describeCode(decision.detailCode) : 'the user is in the control group',
      }
    case 'unsubscribed':
      return { state: 'refused', detail: 'the user does not want messages of this category' }
    case 'capped':
      return { state: 'refused', detail: `capped: ${describeCap(decision)}` }
    default:
      return { state: 'expired', detail: ends[decision.detailCode] }
  }
}
