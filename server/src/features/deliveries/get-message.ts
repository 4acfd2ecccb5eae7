import type { Context } from '../../base/context.ts'
import { type Influenced, readInfluenced } from '../events/read-influenced.ts'
import { getMessageRow } from '../messages/get-message-row.ts'
import { type MessageAnswer, messageAnswer } from '../messages/message-answer.ts'
import { readActions } from './count-actions.ts'
import { countDeliveries, type DeliveryCounts } from './count-deliveries.ts'
import { readDeliveryGroups } from './delivery-groups.ts'
import { measureProgress, type Progress } from './measure-progress.ts'

export interface MessageDetail extends MessageAnswer, DeliveryCounts {
  /** How many installations took each action. */
  actions: Record<string, number>
  progress: Progress
  influenced: Influenced
}

/** [choice 44] */
export async function getMessage(ctx: Context, { id }: { id: string }): Promise<MessageDetail> {
  const row = await getMessageRow(ctx, id)
  const groups = await readDeliveryGroups(ctx, row)
  return {
    ...messageAnswer(row),
    ...countDeliveries(row.recipients, groups.rows, groups.waiting),
    actions: await readActions(ctx, row.id),
    progress: measureProgress(row, groups, ctx.now()),
    influenced: await readInfluenced(ctx, { messageId: row.id }),
  }
}
