import type { AnyNotification } from '@peyk/contract'
import { type Context, inTransaction } from '../../../base/context.ts'
import { changeScheduled } from '../../messages/schedule/change-scheduled.ts'
import { revokeApprovals } from '../approvals/approval-store.ts'

/** A back end sends without approval, so it also changes without; nobody is named as having approved the result. */
export async function editScheduled(ctx: Context, input: { id: string; change: AnyNotification }) {
  return inTransaction(ctx, async (tx) => {
    await revokeApprovals(tx, { appId: ctx.app.id, id: input.id })
    return changeScheduled({ ...ctx, tx }, input)
  })
}
