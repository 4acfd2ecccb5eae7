import type { BodyOf, panelSend as contract } from '@peyk/contract'
import type { Context } from '../../../base/context.ts'
import type { Accepted } from '../../messages/accept/draft-message.ts'
import { sendFromPanel } from '../../messages/send/send-from-panel.ts'
import { removeDraft } from './draft-store.ts'

/** What was sent is no draft any more; with an idempotency key, as the panel sends it, both are one commit. */
export async function sendDraft(ctx: Context, { draftId, ...composed }: BodyOf<typeof contract>): Promise<Accepted> {
  const accepted = await sendFromPanel(ctx, composed)
  if (draftId !== undefined) await removeDraft(ctx, draftId)
  return accepted
}
