import type { StoredDraft } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { findDraft, noDraft } from './draft-store.ts'

export async function getDraft(ctx: Context, { id }: { id: string }): Promise<StoredDraft> {
  const draft = await findDraft(ctx, id)
  if (!draft) throw noDraft()
  return draft
}
