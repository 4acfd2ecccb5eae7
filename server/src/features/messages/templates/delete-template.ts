import type { Context } from '#base/context.ts'
import { noTemplate } from './template-faults.ts'
import { removeTemplate } from './template-store.ts'

export async function deleteTemplate(ctx: Context, { id }: { id: string }): Promise<{ id: string; name: string }> {
  const removed = await removeTemplate(ctx, id)
  if (!removed) throw noTemplate(id)
  return removed
}
