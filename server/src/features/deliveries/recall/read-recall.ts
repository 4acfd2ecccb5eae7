import type { Recall } from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import type { MessageRow } from '../../messages/stored/message-answer.ts'
import { readDeliveryGroups } from '../progress/delivery-groups.ts'
import { countClearable } from './clearable.ts'
import { findRecallCounts } from './recall-store.ts'

/** How far the recall of a message has come, in devices that had been handed it. */
export async function readRecall(ctx: Context, message: MessageRow): Promise<Recall> {
  const counts = await findRecallCounts(db(ctx), { appId: ctx.app.id, messageId: message.id })
  if (!counts) return { cleared: 0, notReachable: 0 }
  const { handedOver, cleared, waiting: pushes, isListed } = counts
  const unlisted = isListed ? 0 : countClearable(message, (await readDeliveryGroups(ctx, message)).rows) - handedOver
  const waiting = pushes + Math.max(0, unlisted)
  return {
    cleared,
    notReachable: Math.max(0, handedOver - cleared - pushes),
    ...(waiting > 0 && { waiting }),
  }
}
