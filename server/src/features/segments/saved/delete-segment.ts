import { type Context, inTransaction } from '#base/context.ts'
import { getSegment } from './get-segment.ts'
import { removeSegment } from './segment-store.ts'

export function deleteSegment(ctx: Context, input: { id: string }): Promise<{ id: string; name: string }> {
  return inTransaction(ctx, async (tx) => {
    const { id, name } = await getSegment({ ...ctx, tx }, input)
    await removeSegment(tx, ctx.app.id, id)
    return { id, name }
  })
}
