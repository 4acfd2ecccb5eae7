import type { AnyNotification } from '@peyk/contract'
import { type Context, inTransaction } from '#base/context.ts'
import { changeScheduled } from '../../messages/schedule/change-scheduled.ts'
import { revokeApprovals } from '../approvals/approval-store.ts'

/** Back ends send without approval, so they also change messages without it. The result names no approver. */
export async function editScheduled(ctx: Context, input: { id: string; change: AnyNotification }) {
  return inTransaction(ctx, async (tx) => {
    await revokeApprovals(tx, { appId: ctx.app.id, id: input.id })
    return changeScheduled({ ...ctx, tx }, input)
  })
}
