import type { ComposedMessage, DryRun, SendPlan } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { getApprovalAbove } from '../accounts/sending/get-approval-above.ts'
import { previewSend } from '../deliveries/dry-run/preview-send.ts'
import { readWhen } from '../messages/schedule/read-when.ts'
import { checkPanelMessage } from '../messages/send/check-panel-message.ts'
import { allKeys, personalKeys, readReceiverKey, readUsers } from '../messages/send/read-receivers.ts'
import { needsApproval } from './approvals/needs-approval.ts'
import { countReceivers } from './count-receivers.ts'
import { findLargestAudience } from './find-largest-audience.ts'
import { judgeSize, reachesEverybody } from './judge-size.ts'

/** The dry run of a message from the panel, and whether it is an unusual one. */
export async function planSend(ctx: Context, composed: ComposedMessage): Promise<SendPlan> {
  checkPanelMessage(composed)
  const { product, ...sent } = composed
  const dryRun = (await previewSend(ctx, { sent, product, to: 'either' })) as DryRun
  const largest = await findLargestAudience(ctx)
  const unusual = judgeSize(dryRun.count, largest, reachesEverybody(product, sent))
  const above = await getApprovalAbove(ctx.store, ctx.app.id)
  const { repeat } = sent
  const isLater = repeat != null || readWhen(sent, ctx.now()) !== undefined
  const asked = { count: dryRun.count, userIds: namedUsers(composed), isLater }
  const needsOther = above !== undefined && needsApproval(asked, above)
  return {
    dryRun,
    ...(needsOther && { needsApproval: true }),
    ...(await findLeftOut(ctx, composed)),
    ...(unusual && { unusual }),
  }
}

/** Users who are named and not in the dry run's outcomes: it has only their devices. */
async function findLeftOut(ctx: Context, composed: ComposedMessage): Promise<Pick<SendPlan, 'unknown' | 'unreached'>> {
  if (namedUsers(composed) === undefined) return {}
  const { unknown, unreached } = await countReceivers(ctx, composed)
  return { ...(unknown && { unknown }), ...(unreached && { unreached }) }
}

/** Undefined for a group and for everybody. */
function namedUsers(composed: ComposedMessage): string[] | undefined {
  return personalKeys.includes(readReceiverKey(composed, allKeys)) ? readUsers(composed) : undefined
}
