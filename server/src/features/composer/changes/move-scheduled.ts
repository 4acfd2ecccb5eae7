import type { AnswerOf, BodyOf, panelMoveScheduled as contract } from '@peyk/contract'
import { type Context, db, inTransaction } from '#base/context.ts'
import { getApprovalAbove } from '../../accounts/sending/get-approval-above.ts'
import { hashScheduled } from '../../messages/approved/hash-outgoing.ts'
import { changeScheduled } from '../../messages/schedule/change-scheduled.ts'
import { storeChange } from '../../messages/schedule/draft-change.ts'
import { scheduledAnswer } from '../../messages/schedule/scheduled-answer.ts'
import { revokeApprovals, withdrawMoves } from '../approvals/approval-store.ts'
import { needsApproval } from '../approvals/needs-approval.ts'
import { readMove } from '../approvals/read-outgoing.ts'
import { readStart } from '../approvals/read-start.ts'
import { storeRequest } from '../approvals/store-request.ts'

type Move = { id: string } & BodyOf<typeof contract>

/**
 * Reschedules a message. If one member may not send it alone, another member has to approve the new time first. Until
 * then, the old time stays.
 */
export async function moveScheduled(ctx: Context, { id, sendAt }: Move): Promise<AnswerOf<typeof contract>> {
  const { member } = ctx
  const above = member && (await getApprovalAbove(db(ctx), ctx.app.id))
  return inTransaction(ctx, async (tx) => {
    const inner = { ...ctx, tx }
    const withdrawn = { appId: ctx.app.id, id, at: ctx.now(), by: member?.email ?? '' }
    await withdrawMoves(tx, withdrawn)
    if (!member || above === undefined) {
      await revokeApprovals(tx, { appId: ctx.app.id, id })
      return changeScheduled(inner, { id, change: { sendAt } })
    }
    const outgoing = await readMove(inner, { id, sendAt })
    const { known, changed } = outgoing.move
    if (hashScheduled(known) === hashScheduled(changed)) return scheduledAnswer(known)
    // Even if it starts now: its audience is resolved when it starts, not here.
    if (needsApproval({ ...outgoing, isLater: true }, above)) {
      const composed = { product: known.product, ...(outgoing.isLater && { sendAt }) }
      // Once it has started at the old time, there is nothing left to move.
      const asked = await readStart(inner, { sendAt })
      const startsAt = asked && asked < known.dueAt ? asked : known.dueAt
      const approvalId = await storeRequest({ ...inner, member }, { composed, outgoing, startsAt, moves: id })
      return { ...scheduledAnswer(known), approval: 'waiting', approvalId }
    }
    await revokeApprovals(tx, { appId: ctx.app.id, id })
    await storeChange(inner, changed, { isMoved: true })
    return scheduledAnswer(changed)
  })
}
