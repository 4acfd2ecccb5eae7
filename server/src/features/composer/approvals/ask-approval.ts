import { type Context, db, inTransaction } from '#base/context.ts'
import { getApprovalAbove } from '../../accounts/sending/get-approval-above.ts'
import { pick } from '../../messages/compose/pick.ts'
import { checkGrowth } from '../../messages/send/check-growth.ts'
import { readPanelSend } from '../../messages/send/read-panel-send.ts'
import type { PanelSend } from '../../messages/send/send-from-panel.ts'
import { needsApproval } from './needs-approval.ts'
import { readOutgoing } from './read-outgoing.ts'
import { readStart } from './read-start.ts'
import { storeRequest } from './store-request.ts'

export interface WaitingSend {
  id: string
  count: number
  approval: 'waiting'
}

/**
 * Stores a member's send until another member approves it. Returns undefined if it needs no approval. Refuses
 * everything that a send would refuse now.
 */
export async function askApproval(
  ctx: Context,
  { confirmed, ...composed }: PanelSend,
): Promise<WaitingSend | undefined> {
  const { member } = ctx
  const above = member && (await getApprovalAbove(db(ctx), ctx.app.id))
  if (!member || above === undefined) return undefined
  const { product, sent } = readPanelSend(ctx, composed)
  return inTransaction(ctx, async (tx) => {
    const inner = { ...ctx, tx, member }
    const outgoing = await readOutgoing(inner, { product, ...sent })
    if (!needsApproval(outgoing, above)) return undefined
    checkGrowth(outgoing.count, confirmed)
    const startsAt = await readStart(inner, outgoing.request ?? sent)
    const { values, user: _user, users: _users, ...unaddressed } = sent
    const addressed = outgoing.userIds ? unaddressed : { ...unaddressed, ...pick(sent, ['user', 'users']) }
    // The template's texts may need values that the request's own texts do not.
    const valued = sent.templateId !== undefined && values !== undefined ? { values } : {}
    const kept = { product, ...addressed, ...valued, ...pick(outgoing.request ?? sent, ['category']) }
    const id = await storeRequest(inner, { composed: kept, outgoing, startsAt })
    return { id, count: outgoing.count, approval: 'waiting' }
  })
}
