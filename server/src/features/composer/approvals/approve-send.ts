import type { BodyOf, panelApprove as contract } from '@peyk/contract'
import { type Context, inTransaction } from '../../../base/context.ts'
import { RequestError } from '../../../base/errors.ts'
import type { Accepted } from '../../messages/accept/draft-message.ts'
import { sendFromPanel } from '../../messages/send/send-from-panel.ts'
import { composedOf, readApprovalNow } from './approval-now.ts'
import { decideApproval } from './approval-store.ts'
import { lockWaiting } from './lock-waiting.ts'

type Member = NonNullable<Context['member']>

/**
 * Sends what another member asked for, in that member's name. The decision and the send are one commit: of two who approve
 * at once, one sends.
 */
export async function approveSend(
  ctx: Context & { member: Member },
  { id, confirmed, seen }: { id: string } & BodyOf<typeof contract>,
): Promise<Accepted> {
  return inTransaction(ctx, async (tx) => {
    const row = await lockWaiting(ctx, tx, id)
    if (row.asked_by_id === ctx.member.id) {
      throw new RequestError('own-request', 'You have asked for this send: another member has to approve it.')
    }
    const inner = { ...ctx, tx, member: { ...ctx.member, email: row.asked_by } }
    const { now } = await readApprovalNow(inner, row)
    if (now.seen !== seen) {
      const message = 'The saved segment was changed since you opened this. Nothing was sent.'
      throw new RequestError('changed-meanwhile', message)
    }
    const accepted = await sendFromPanel(inner, { ...composedOf(row), confirmed })
    const what = { messageId: accepted.id, seriesId: accepted.seriesId }
    await decideApproval(tx, row, { decision: 'approved', at: ctx.now(), by: ctx.member.email, ...what })
    return accepted
  })
}
