import type { ApprovalDetail } from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { isUuid } from '#base/ids.ts'
import { scheduledAnswer } from '../../messages/schedule/scheduled-answer.ts'
import { approvalAnswer } from './approval-answer.ts'
import { readApprovalNow } from './approval-now.ts'
import { type ApprovalRow, findApproval } from './approval-store.ts'
import { noApproval } from './lock-waiting.ts'

const usersShown = 20

export async function getApproval(ctx: Context, { id }: { id: string }): Promise<ApprovalDetail> {
  const row = isUuid(id) ? await findApproval(db(ctx), { appId: ctx.app.id, id }) : undefined
  if (!row) throw noApproval()
  const users = row.user_ids && { users: row.user_ids.slice(0, usersShown) }
  return { ...(await describe(ctx, row)), ...users }
}

function momentOf({ sendAt, localTime }: ReturnType<typeof scheduledAnswer>) {
  return { ...(sendAt !== undefined && { sendAt }), ...(localTime && { localTime }) }
}

/** Shows a waiting send as it would be sent now. */
async function describe(ctx: Context, row: ApprovalRow): Promise<ApprovalDetail> {
  const asked = approvalAnswer(ctx, row)
  if (asked.state !== 'waiting') return asked
  try {
    const { now, outgoing } = await readApprovalNow(ctx, row)
    const { sent, target, move } = outgoing
    const shown = { ...approvalAnswer(ctx, { ...row, sent, target: target ?? null }), now }
    return move ? { ...shown, movesFrom: momentOf(scheduledAnswer(move.known)) } : shown
  } catch (error) {
    if (error instanceof RequestError) return { ...asked, blocked: error.message }
    throw error
  }
}
