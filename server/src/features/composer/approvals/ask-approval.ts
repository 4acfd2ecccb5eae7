import { limits } from '../../../base/config.ts'
import { type Context, db, inTransaction } from '../../../base/context.ts'
import { RequestError } from '../../../base/errors.ts'
import { nextId } from '../../../base/ids.ts'
import { getApprovalAbove } from '../../accounts/sending/get-approval-above.ts'
import { pick } from '../../messages/compose/pick.ts'
import { draftScheduled } from '../../messages/schedule/draft-scheduled.ts'
import { checkGrowth } from '../../messages/send/check-growth.ts'
import { readPanelSend } from '../../messages/send/read-panel-send.ts'
import { allKeys } from '../../messages/send/read-receivers.ts'
import { readSent } from '../../messages/send/read-sent.ts'
import type { PanelSend } from '../../messages/send/send-from-panel.ts'
import { countWaitingAlone, insertApproval } from './approval-store.ts'
import { readStart } from './read-start.ts'

const decideWithinMs = 7 * 86_400_000

export interface WaitingSend {
  id: string
  count: number
  approval: 'waiting'
}

/**
 * Keeps what a member wants to send until another member has approved it, when it goes to more installations than the app
 * lets one member alone send to; undefined when it does not. What a send now would refuse is refused now.
 */
export async function askApproval(
  ctx: Context,
  { confirmed, ...composed }: PanelSend,
): Promise<WaitingSend | undefined> {
  const { member } = ctx
  const above = member && (await getApprovalAbove(db(ctx), ctx.app.id))
  if (!member || above === undefined) return undefined
  const { product, sent } = readPanelSend(ctx, composed)
  const now = ctx.now()
  return inTransaction(ctx, async (tx) => {
    const inner = { ...ctx, tx }
    const request = await readSent(inner, sent)
    const startsAt = await readStart(inner, request)
    const draft = await draftScheduled(inner, request, { product, to: allKeys })
    if (draft.count <= above) return undefined
    checkGrowth(draft.count, confirmed)
    if ((await countWaitingAlone(tx, ctx.app.id, now)) >= limits.approvalsPerApp) throw tooMany()
    const { values: _unused, ...said } = sent
    const { user: _user, users: _users, ...unaddressed } = said
    const id = nextId(ctx.now, now)
    const latest = new Date(now.getTime() + decideWithinMs)
    await insertApproval(tx, {
      app_id: ctx.app.id,
      id,
      composed: { product, ...(draft.userIds ? unaddressed : said), ...pick(request, ['category']) },
      user_ids: draft.userIds ?? null,
      target: draft.target ?? null,
      count: draft.count,
      asked_at: now,
      asked_by: member.email,
      asked_by_id: member.id,
      lapses_at: startsAt && startsAt < latest ? startsAt : latest,
    })
    return { id, count: draft.count, approval: 'waiting' }
  })
}

function tooMany(): RequestError {
  return new RequestError(
    'limit-reached',
    `${limits.approvalsPerApp} sends wait for approval already. Approve or decline some of them first.`,
  )
}
