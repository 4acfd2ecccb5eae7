import type { AnswerOf, BodyOf, panelSend as contract } from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { getApprovalAbove } from '../../accounts/sending/get-approval-above.ts'
import { sendFromPanel } from '../../messages/send/send-from-panel.ts'
import { askApproval } from '../approvals/ask-approval.ts'
import { removeDraft } from './draft-store.ts'

/** What was sent, or waits for approval, is no draft any more; with an idempotency key, as the panel sends it, both are one commit. */
export async function sendDraft(
  ctx: Context,
  { draftId, ...composed }: BodyOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const accepted = (await askApproval(ctx, composed)) ?? (await sendFromPanel(ctx, composed, await readAlone(ctx)))
  if (draftId !== undefined) await removeDraft(ctx, draftId)
  return accepted
}

/** The audience may have grown since the count that needed no approval. */
async function readAlone(ctx: Context): Promise<{ atMost?: number | undefined }> {
  return { atMost: ctx.member && (await getApprovalAbove(db(ctx), ctx.app.id)) }
}
