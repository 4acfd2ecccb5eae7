import type * as contract from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { countByIndex } from '../index/ask-index.ts'
import { readAudience } from '../read/read-audience.ts'
import type { Audience } from '../read/resolve-audience.ts'
import { countSteps } from './count-steps.ts'

export type SegmentCount = contract.AnswerOf<typeof contract.countSegment>

/** How many installations and users an unsaved segment (or a filter) finds now, and how many each rule leaves. */
export async function countSegment(ctx: Context, input: Record<string, unknown>): Promise<SegmentCount> {
  const at = ctx.now()
  const { steps, scope } = await readAudience(ctx, audienceOf(input), at)
  const conditions = steps.map((step) => step.condition)
  const { left, users } = (await countByIndex(ctx, conditions, at)) ?? (await countSteps(db(ctx), conditions, scope))
  return {
    count: left.at(-1) as number,
    users,
    funnel: steps.map((step, index) => ({ rule: step.sent, count: left[index] as number })),
  }
}

/** The body is `{segment}` or `{target}`, or the segment itself. */
function audienceOf(input: Record<string, unknown>): Audience {
  if ('segment' in input || 'target' in input) return input
  if (!('all' in input) && !('any' in input)) {
    throw new RequestError('invalid-request', 'Expected "segment", "target" or "all".')
  }
  const { idempotencyKey: _, ...segment } = input
  return { segment }
}
