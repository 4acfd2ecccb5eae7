import { type SavedSegment, show } from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { findSegment } from './segment-store.ts'

/** By id or by name. */
export async function getSegment(ctx: Context, { id }: { id: string }): Promise<SavedSegment> {
  const saved = await findSegment(db(ctx), ctx.app.id, id)
  if (!saved) throw new RequestError('not-found', `There is no segment with the id or name ${show(id)}.`)
  return saved
}
