import {
  type AnswerOf,
  type DeliveryReason,
  deliveryReasons,
  deliveryStates,
  type MessageState,
  type messageById,
  noneOf,
} from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { isUuid } from '#base/ids.ts'
import { readInfluenced } from '../../events/influence/read-influenced.ts'
import type { MessageContent } from '../../messages/compose/compose-message.ts'
import { findScheduled } from '../../messages/schedule/schedule-store.ts'
import { scheduledAnswer } from '../../messages/schedule/scheduled-answer.ts'
import type { ScheduledMessage } from '../../messages/schedule/scheduled-message.ts'
import { getMessageRow } from '../../messages/stored/get-message-row.ts'
import { type MessageRow, messageAnswer } from '../../messages/stored/message-answer.ts'
import { countFallbacks } from '../fallback/fallback-store.ts'
import { readLanguageCounts } from '../languages/count-languages.ts'
import { readWaitingMoments } from '../local-time/read-waiting-moments.ts'
import { readReleaseRates } from '../pace/pace-store.ts'
import { readActions } from '../progress/count-actions.ts'
import { countDeliveries } from '../progress/count-deliveries.ts'
import { type DeliveryGroups, readDeliveryGroups } from '../progress/delivery-groups.ts'
import { measureProgress, type Progress } from '../progress/measure-progress.ts'
import { readStalls } from '../progress/read-troubles.ts'
import { readRecall } from '../recall/read-recall.ts'

type MessageDetail = AnswerOf<typeof messageById> & MessageContent

/** [sending.md#states-of-a-delivery] */
export async function getMessage(ctx: Context, { id }: { id: string }): Promise<MessageDetail> {
  const scheduled = isUuid(id) ? await findScheduled(db(ctx), { appId: ctx.app.id, id }) : undefined
  if (scheduled) return describeScheduled(scheduled)
  const row = await getMessageRow(ctx, id)
  const groups = await readDeliveryGroups(ctx, row)
  const stalls = await readStalls(ctx, [row.id])
  const fallbackCounts = row.body.fallback
    ? await countFallbacks(db(ctx), { appId: ctx.app.id, messageId: row.id })
    : undefined
  const languages = await readLanguageCounts(ctx, row)
  const moments = row.body.localTime ? await readWaitingMoments(ctx, row.id) : []
  const rates = row.body.throttle
    ? await readReleaseRates(db(ctx), { appId: ctx.app.id, messageIds: [row.id] })
    : undefined
  const measured = measureProgress(row, groups, ctx.now(), {
    ...{ stalls: stalls.get(row.id), moments, releasedPerSecond: rates?.get(row.id) },
  })
  const progress: Progress = row.paused_at && fallbackCounts?.waiting ? { ...measured, paused: true } : measured
  return {
    ...messageAnswer(row),
    state: stateOf(row, progress, groups),
    ...countDeliveries(row.recipients, groups.rows, groups.waiting),
    actions: await readActions(ctx, row.id),
    ...(languages && { languages }),
    progress,
    influenced: await readInfluenced(ctx, { messageId: row.id }),
    ...(fallbackCounts && { fallbackCounts }),
    ...(row.recalled_at && { recall: await readRecall(ctx, row) }),
  }
}

function describeScheduled(message: ScheduledMessage): MessageDetail {
  return {
    ...scheduledAnswer(message),
    state: stateOfScheduled(message),
    states: noneOf(deliveryStates),
    reasons: noneOf(deliveryReasons),
    actions: {},
    progress: {
      total: message.count,
      settled: 0,
      waiting: 0,
      ...(message.cancelledAt && { cancelled: message.count }),
      ...(!message.cancelledAt && message.occurrence?.isHeld && { paused: true }),
    },
    influenced: { events: 0, directEvents: 0, revenue: {} },
  }
}

function stateOfScheduled({ cancelledAt, occurrence }: ScheduledMessage): MessageState {
  if (cancelledAt) return 'cancelled'
  return occurrence?.isHeld ? 'paused' : 'scheduled'
}

function stateOf(row: MessageRow, progress: Progress, { rows }: DeliveryGroups): MessageState {
  if (row.recalled_at) return 'recalled'
  if (row.cancelled_at) return 'cancelled'
  if (progress.paused) return 'paused'
  if (progress.waiting === 0) return 'sent'
  const hasBegun = progress.inFlight !== undefined || rows.some(({ reason }) => !isNotHandedOver(reason))
  return row.body.localTime && !hasBegun ? 'scheduled' : 'sending'
}

/** Known before anything was handed over. */
function isNotHandedOver(reason: DeliveryReason | null): boolean {
  return reason === 'skipped' || reason === 'not-in-channel' || reason === 'gone'
}
