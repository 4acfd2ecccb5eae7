import type { AnswerOf, BodyOf, panelDecline as contract } from '@peyk/contract'
import { type Context, inTransaction } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { checkAbility } from '../../accounts/members/abilities.ts'
import { decideApproval } from './approval-store.ts'
import { lockWaiting } from './lock-waiting.ts'

type Member = NonNullable<Context['member']>

/** Another member says why it is not sent; who asked takes it back. */
export async function declineSend(
  ctx: Context & { member: Member },
  { id, reason = '' }: { id: string } & BodyOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  return inTransaction(ctx, async (tx) => {
    const row = await lockWaiting(ctx, tx, id)
    const isOwn = row.asked_by_id === ctx.member.id
    if (!isOwn) checkAbility(ctx, 'send-to-many')
    const said = reason.trim()
    if (!isOwn && said === '') {
      throw new RequestError('invalid-request', '"reason" is required: say why it is not sent.', {
        details: { field: 'reason' },
      })
    }
    await decideApproval(tx, row, {
      decision: isOwn ? 'withdrawn' : 'declined',
      at: ctx.now(),
      by: ctx.member.email,
      reason: said === '' ? undefined : said,
    })
    return { id, count: row.count }
  })
}
