import type { AnswerOf, panelApprovals as contract } from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { approvalAnswer } from './approval-answer.ts'
import { listPastRows, listWaitingRows } from './approval-store.ts'

const pastOnes = 50

/** What waits, the oldest first, and then what was decided or lapsed lately. */
export async function listApprovals(ctx: Context): Promise<AnswerOf<typeof contract>> {
  const now = ctx.now()
  const waiting = await listWaitingRows(db(ctx), ctx.app.id, now)
  const past = await listPastRows(db(ctx), { appId: ctx.app.id, now, limit: pastOnes })
  return { data: [...waiting, ...past].map((row) => approvalAnswer(ctx, row)) }
}
