import type { AnswerOf, BodyOf, panelSend as contract } from '@peyk/contract'
import type { Context } from '../../../base/context.ts'
import { sendFromPanel } from '../../messages/send/send-from-panel.ts'
import { askApproval } from '../approvals/ask-approval.ts'
import { removeDraft } from './draft-store.ts'

/** What was sent, or waits for approval, is no draft any more; with an idempotency key, as the panel sends it, both are one commit. */
export async function sendDraft(
  ctx: Context,
  { draftId, ...composed }: BodyOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const accepted = (await askApproval(ctx, composed)) ?? (await sendFromPanel(ctx, composed))
  if (draftId !== undefined) await removeDraft(ctx, draftId)
  return accepted
}
