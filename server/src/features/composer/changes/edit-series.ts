import type { AnswerOf, AnyNotification, changeSeries as contract } from '@peyk/contract'
import { type Context, inTransaction } from '#base/context.ts'
import { changeSeries } from '../../messages/series/change-series.ts'
import { revokeApprovals } from '../approvals/approval-store.ts'

/** Same as for scheduled messages: a back end's change is not what a member approved. */
export async function editSeries(
  ctx: Context,
  input: { id: string; change: AnyNotification },
): Promise<AnswerOf<typeof contract>> {
  return inTransaction(ctx, async (tx) => {
    await revokeApprovals(tx, { appId: ctx.app.id, id: input.id })
    return changeSeries({ ...ctx, tx }, input)
  })
}
