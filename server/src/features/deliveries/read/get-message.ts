import type { AnswerOf, messageById } from '@peyk/contract'
import { type Context, db } from '../../../base/context.ts'
import { readInfluenced } from '../../events/influence/read-influenced.ts'
import type { MessageContent } from '../../messages/compose/compose-message.ts'
import { getMessageRow } from '../../messages/stored/get-message-row.ts'
import { messageAnswer } from '../../messages/stored/message-answer.ts'
import { countFallbacks } from '../fallback/fallback-store.ts'
import { readActions } from '../progress/count-actions.ts'
import { countDeliveries } from '../progress/count-deliveries.ts'
import { readDeliveryGroups } from '../progress/delivery-groups.ts'
import { measureProgress } from '../progress/measure-progress.ts'
import { readStalls } from '../progress/read-troubles.ts'

type MessageDetail = AnswerOf<typeof messageById> & MessageContent

/** [choice 44] */
export async function getMessage(ctx: Context, { id }: { id: string }): Promise<MessageDetail> {
  const row = await getMessageRow(ctx, id)
  const groups = await readDeliveryGroups(ctx, row)
  const stalls = await readStalls(ctx, [row.id])
  return {
    ...messageAnswer(row),
    ...countDeliveries(row.recipients, groups.rows, groups.waiting),
    actions: await readActions(ctx, row.id),
    progress: measureProgress(row, groups, ctx.now(), stalls.get(row.id)),
    influenced: await readInfluenced(ctx, { messageId: row.id }),
    ...(row.body.fallback && {
      fallbackCounts: await countFallbacks(db(ctx), { appId: ctx.app.id, messageId: row.id }),
    }),
  }
}
