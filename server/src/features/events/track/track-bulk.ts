import type { AnswerOf, BodyOf, trackBulk as endpoint } from '@peyk/contract'
import { limits } from '#base/config.ts'
import type { Context } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { checkQuota } from '../../accounts/quotas/check-quota.ts'
import type { EventDraft } from '../event.ts'
import { atElement, storeManyEvents } from '../write/store-events.ts'
import { draftEvent, revenueEventName } from './draft-event.ts'

type BulkEvent = BodyOf<typeof endpoint>

export type BulkAnswer = AnswerOf<typeof endpoint>

const maxWarnings = 100

/** [users-and-events.md#events] All or none. */
export async function trackBulk(ctx: Context, input: readonly BulkEvent[] | BulkEvent): Promise<BulkAnswer> {
  const events = Array.isArray(input) ? (input as readonly BulkEvent[]) : [input as BulkEvent]
  if (events.length > limits.eventsPerRequest) {
    const message = `The array has ${events.length} elements; at most ${limits.eventsPerRequest} are allowed.`
    throw new RequestError('too-large', message)
  }
  checkQuota(ctx, 'events', events.length)
  const stored = await storeManyEvents(
    ctx,
    events.map((event, index) => draftElement(ctx, event, index)),
  )
  const warnings = stored.flatMap((event, index) => (event.warnings ?? []).map((text) => `Element ${index}: ${text}`))
  const answer: BulkAnswer = { queued: true, n: stored.length }
  if (warnings.length > 0) answer.warnings = warnings.slice(0, maxWarnings)
  return answer
}

function draftElement(ctx: Context, event: BulkEvent, index: number): EventDraft {
  try {
    return draftEvent(ctx, { ...event, eventName: nameOf(event) })
  } catch (error) {
    throw error instanceof RequestError ? atElement(error, index) : error
  }
}

/** A revenue without a name is what trackRevenue takes. */
function nameOf({ eventName, revenue }: BulkEvent): string {
  if (eventName !== undefined) return eventName
  if (revenue !== undefined) return revenueEventName
  throw new RequestError('invalid-request', '"eventName" is required.', { details: { field: 'eventName' } })
}
