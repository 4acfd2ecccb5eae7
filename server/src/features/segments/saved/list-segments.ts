import { type Context, db } from '../../../base/context.ts'
import { listSavedSegments, type SavedSegment } from './segment-store.ts'

export function listSegments(ctx: Context): Promise<SavedSegment[]> {
  return listSavedSegments(db(ctx), ctx.app.id)
}
