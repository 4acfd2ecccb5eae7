import type { BodyOf, panelApprove as contract } from '@peyk/contract'
import { type Context, inTransaction } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import type { Transaction } from '#base/store/store.ts'
import type { Accepted } from '../../messages/accept/draft-message.ts'
import { sealScheduled, sealSeries } from '../../messages/approved/seal-approved.ts'
import { storeChange } from '../../messages/schedule/draft-change.ts'
import { checkGrowth } from '../../messages/send/check-growth.ts'
import { sendFromPanel } from '../../messages/send/send-from-panel.ts'
import { readApprovalNow } from './approval-now.ts'
import { decideApproval } from './approval-store.ts'
import { lockSegment } from './lock-segment.ts'
import { lockWaiting } from './lock-waiting.ts'
import type { Outgoing } from './read-outgoing.ts'

type Member = NonNullable<Context['member']>

/**
 * Sends, schedules, or moves what another member requested, in that member's name. Decision and send are one commit: of
 * two members who approve at once, one sends. Sends exactly what the approving member saw, or nothing.
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
    await lockSegment(tx, { appId: ctx.app.id, target: row.composed.target })
    const inner = { ...ctx, tx, member: { ...ctx.member, email: row.asked_by } }
    const { now, outgoing } = await readApprovalNow(inner, row)
    if (now.seen !== seen) {
      const message = 'The send has changed since you looked at it. Nothing was sent: read it again before you decide.'
      throw new RequestError('changed-meanwhile', message)
    }
    const accepted = await start(inner, outgoing, confirmed)
    const what = { messageId: accepted.id, seriesId: accepted.seriesId, outgoing }
    await decideApproval(tx, row, { decision: 'approved', at: ctx.now(), by: ctx.member.email, ...what })
    return accepted
  })
}

async function start(ctx: Context & { tx: Transaction }, outgoing: Outgoing, confirmed: number): Promise<Accepted> {
  const { product, request, move, isLater } = outgoing
  const appId = ctx.app.id
  if (move) {
    const { id, count } = move.changed
    checkGrowth(count, confirmed)
    await storeChange(ctx, move.changed, { isMoved: true })
    await sealScheduled(ctx.tx, { appId, id })
    return { id, count }
  }
  const accepted = await sendFromPanel(ctx, { product, ...request, confirmed })
  if (accepted.seriesId !== undefined) await sealSeries(ctx.tx, { appId, id: accepted.seriesId })
  else if (isLater) await sealScheduled(ctx.tx, { appId, id: accepted.id })
  return accepted
}
