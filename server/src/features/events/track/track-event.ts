import type { BodyOf, track } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { checkQuota } from '../../accounts/quotas/check-quota.ts'
import { storeEvents } from '../write/store-events.ts'
import { draftEvent } from './draft-event.ts'
import { type TrackAnswer, trackAnswer } from './track-answer.ts'

/** [interface.md#45-track-an-event] */
export async function trackEvent(ctx: Context, input: BodyOf<typeof track>): Promise<TrackAnswer> {
  checkQuota(ctx, 'events')
  const { userId, installationId, eventName, eventTime, eventData } = input
  return trackAnswer(
    await storeEvents(ctx, [draftEvent(ctx, { userId, installationId, eventName, eventTime, eventData })]),
  )
}
