import type { BodyOf, trackPurchase as endpoint } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { checkQuota } from '../../accounts/quotas/check-quota.ts'
import { storeEvents } from '../write/store-events.ts'
import { draftEvent } from './draft-event.ts'
import { type TrackAnswer, trackAnswer } from './track-answer.ts'

/** [interface.md#46-track-a-purchase] */
export async function trackPurchase(ctx: Context, input: BodyOf<typeof endpoint>): Promise<TrackAnswer> {
  checkQuota(ctx, 'events')
  return trackAnswer(await storeEvents(ctx, [draftEvent(ctx, input)]))
}
