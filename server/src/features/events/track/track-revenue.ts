import type { BodyOf, trackRevenue as endpoint } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { checkQuota } from '../../accounts/quotas/check-quota.ts'
import { storeEvents } from '../write/store-events.ts'
import { draftEvent, revenueEventName } from './draft-event.ts'
import { type TrackAnswer, trackAnswer } from './track-answer.ts'

/** [interface.md#47-track-revenue] An event name that came with it does not count [users-and-events.md#revenue]. */
export async function trackRevenue(ctx: Context, input: BodyOf<typeof endpoint>): Promise<TrackAnswer> {
  checkQuota(ctx, 'events')
  return trackAnswer(await storeEvents(ctx, [draftEvent(ctx, { ...input, eventName: revenueEventName })]))
}
