import { type SavedSegment, show } from '@peyk/contract'
import { type Context, inTransaction } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { checkDefinition } from './check-definition.ts'
import { getSegment } from './get-segment.ts'
import { updateSegment } from './segment-store.ts'
import { tryRecordSize } from './try-record-size.ts'

/** Without a name the segment keeps the one it has. */
export async function replaceSegment(
  ctx: Context,
  input: { id: string; name?: string; segment: unknown },
): Promise<SavedSegment> {
  const saved = await inTransaction(ctx, async (tx) => {
    const inner = { ...ctx, tx }
    const found = await getSegment(inner, input)
    const segment = await checkDefinition(inner, input.segment)
    const name = input.name ?? found.name
    const updated = await updateSegment(tx, ctx.app.id, found.id, { name, segment, at: ctx.now() })
    if (!updated) {
      throw new RequestError('already-exists', `Another segment named ${show(name)} already exists.`, {
        details: { what: 'segment', name },
      })
    }
    return updated
  })
  await tryRecordSize(ctx, saved)
  return saved
}
