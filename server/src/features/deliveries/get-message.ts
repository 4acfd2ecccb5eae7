import type { Context } from '../../base/context.ts'
import { getMessageRow } from '../messages/get-message-row.ts'
import { type MessageAnswer, messageAnswer } from '../messages/message-answer.ts'
import { countDeliveries, type DeliveryCounts } from './count-deliveries.ts'
import { readDeliveryGroups } from './delivery-groups.ts'

/** [choice 44] */
export async function getMessage(ctx: Context, { id }: { id: string }): Promise<MessageAnswer & DeliveryCounts> {
  const row = await getMessageRow(ctx, id)
  const { rows, waiting } = await readDeliveryGroups(ctx, row.id)
  return { ...messageAnswer(row), ...countDeliveries(row.recipients, rows, waiting) }
}
