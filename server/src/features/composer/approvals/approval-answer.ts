import type { Approval } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { scheduledAnswer } from '../../messages/schedule/scheduled-answer.ts'
import { withoutReceivers } from '../../messages/schedule/scheduled-message.ts'
import type { ApprovalRow } from './approval-store.ts'

const daysMs = 7 * 86_400_000

/** A send that was asked for, as members see it. */
export function approvalAnswer({ member, ...ctx }: Pick<Context, 'member' | 'now'>, row: ApprovalRow): Approval {
  return {
    id: row.id,
    state: row.decision ?? (row.lapses_at > ctx.now() ? 'waiting' : 'lapsed'),
    message: messageOf(row),
    ...(row.moves !== null && { moves: row.moves }),
    ...(row.composed.repeat != null && { repeat: row.composed.repeat }),
    count: row.count,
    askedAt: row.asked_at.getTime(),
    askedBy: row.asked_by,
    isOwn: row.asked_by_id === member?.id,
    lapsesAt: row.lapses_at.getTime(),
    lapsesByTime: row.lapses_at.getTime() < row.asked_at.getTime() + daysMs,
    ...(row.decided_at && { decidedAt: row.decided_at.getTime() }),
    ...(row.decided_by !== null && { decidedBy: row.decided_by }),
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.message_id !== null && { messageId: row.message_id }),
    ...(row.series_id !== null && { seriesId: row.series_id }),
  }
}

export function messageOf({ app_id, id, composed, sent, user_ids, target, count, asked_at, asked_by }: ApprovalRow) {
  const { product, ...asked } = composed
  const { sendAt } = asked
  const message = scheduledAnswer({
    ...{ appId: app_id, id, product, count, createdAt: asked_at, createdBy: asked_by },
    sent: sent ?? withoutReceivers(asked),
    userIds: user_ids ?? undefined,
    target: target ?? undefined,
    dueAt: asked_at,
    ...{ localTime: undefined, cancelledAt: undefined, occurrence: undefined },
  })
  const { sendAt: _, ...unscheduled } = message
  if (typeof sendAt === 'object' && sendAt !== null) {
    const { local, zone, late = 'now' } = sendAt
    const localTime = { local, ...(zone !== undefined && { zone }), late } as NonNullable<typeof message.localTime>
    return { ...unscheduled, localTime }
  }
  return sendAt == null ? unscheduled : { ...unscheduled, sendAt: new Date(sendAt).getTime() }
}
