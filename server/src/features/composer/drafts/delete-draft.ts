import type { Context } from '#base/context.ts'
import { noDraft, removeDraft } from './draft-store.ts'

export async function deleteDraft(ctx: Context, { id }: { id: string }): Promise<{ id: string; name: string }> {
  const removed = await removeDraft(ctx, id)
  if (!removed) throw noDraft()
  return removed
}
